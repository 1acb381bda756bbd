// The labels that ship, in French, by their English text.
import { fields } from "./fields.ts";
import { help } from "./help.ts";
import { options } from "./options.ts";
import { templates } from "./templates.ts";
import { types } from "./types.ts";
import { viewsAndForms } from "./views-and-forms.ts";

export const french: Readonly<Record<string, string>> = {
  ...templates,
  ...types,
  ...fields,
  ...options,
  ...viewsAndForms,
  ...help,
};
