// Every sentence of the service in Arabic, by its code.
import { failures } from "./failures.ts";
import { fields } from "./fields.ts";
import { mails } from "./mails.ts";
import { people } from "./people.ts";
import { queries } from "./queries.ts";
import { records } from "./records.ts";
import { verbs } from "./verbs.ts";

export const arabic = { ...failures, ...fields, ...mails, ...people, ...queries, ...records, ...verbs } as const;
