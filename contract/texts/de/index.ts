// Every sentence of the service in German, by its code.
import { designs } from "./designs.ts";
import { failures } from "./failures.ts";
import { fields } from "./fields.ts";
import { formulas } from "./formulas.ts";
import { imports } from "./imports.ts";
import { mails } from "./mails.ts";
import { people } from "./people.ts";
import { queries } from "./queries.ts";
import { records } from "./records.ts";
import { verbs } from "./verbs.ts";
import { webhooks } from "./webhooks.ts";

export const german = {
  ...designs,
  ...failures,
  ...fields,
  ...formulas,
  ...imports,
  ...mails,
  ...people,
  ...queries,
  ...records,
  ...verbs,
  ...webhooks,
} as const;
