// Every sentence of the service in Arabic, by its code.
import { failures } from "./failures.ts";
import { fields } from "./fields.ts";
import { people } from "./people.ts";
import { queries } from "./queries.ts";
import { records } from "./records.ts";
import { verbs } from "./verbs.ts";

export const arabic = { ...failures, ...fields, ...people, ...queries, ...records, ...verbs } as const;
