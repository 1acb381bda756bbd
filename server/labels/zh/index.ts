// The labels that ship, in Simplified Chinese, by their English text. The words to use are at the head of web/texts/zh/ground.ts.
import { fields } from "./fields.ts";
import { help } from "./help.ts";
import { options } from "./options.ts";
import { templates } from "./templates.ts";
import { types } from "./types.ts";
import { viewsAndForms } from "./views-and-forms.ts";

export const chinese: Readonly<Record<string, string>> = {
  ...templates,
  ...types,
  ...fields,
  ...options,
  ...viewsAndForms,
  ...help,
};
