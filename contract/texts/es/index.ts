// Every sentence of the service in Spanish, by its code. Neutral Spanish, impersonal or usted, sentence case. Glossary: record
// registro, record type tipo de registro, field campo, stage etapa, view vista, workflow flujo de trabajo, transition transición,
// actor responsable, owner propietario, bulk masivo, policy política, role rol, group grupo, job proceso, lead prospecto, quote
// cotización, key clave, child registro secundario, roll-up agregación, lookup valor relacionado, recycle bin papelera, purge
// eliminar definitivamente, sign in iniciar sesión, sign up crear una cuenta. Names of unknown gender stand so that nothing agrees
// with them ("Se eliminó {name}", "{field} es un campo obligatorio").
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

export const spanish = {
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
