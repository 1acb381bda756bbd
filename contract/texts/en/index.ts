// Every sentence of the service in English, by its code. Other languages have the same codes and the same parameters.
import { failures } from "./failures.ts";
import { fields } from "./fields.ts";
import { mails } from "./mails.ts";
import { people } from "./people.ts";
import { queries } from "./queries.ts";
import { records } from "./records.ts";
import { verbs } from "./verbs.ts";

export const english = { ...failures, ...fields, ...mails, ...people, ...queries, ...records, ...verbs } as const;

export type English = typeof english;
