// The labels that ship, in Arabic, by their English text.
import { fields } from "./ar/fields.ts";
import { help } from "./ar/help.ts";
import { options } from "./ar/options.ts";
import { types } from "./ar/types.ts";
import { viewsAndForms } from "./ar/views-and-forms.ts";

export const arabic: Readonly<Record<string, string>> = { ...types, ...fields, ...options, ...viewsAndForms, ...help };
