// The actions that a form offers: what can be sent as `data[action]`, and the submit elements that say so.
import { normalizeAction, type SentAction } from "../request/call.ts";

export type FormMode = "view" | "add" | "edit";

export interface FormAction {
  readonly name: string;
  readonly label: string;
}

const save: FormAction = { name: "save_progress", label: "Save" };
export const saveAndContinue: FormAction = { name: "save_&_continue", label: "Save & Continue" };

/** The actions that can be taken now. */
export const actionsOf = (mode: FormMode): readonly FormAction[] => (mode === "view" ? [] : [save, saveAndContinue]);

/** The one action that was sent, or undefined when it is none, several, or not one of those possible. */
export function chosenAction(sent: readonly SentAction[], possible: readonly FormAction[]): FormAction | undefined {
  const [only, ...more] = sent;
  if (only === undefined || more.length > 0) return undefined;
  return possible.find((action) => normalizeAction(action.name) === only.key);
}

export const submitElement = (action: FormAction, module: string) => ({
  name: ["action", action.name],
  __name: `action.${action.name}`,
  label: action.label,
  template: "submit",
  method: "submit",
  permission: 2,
  not_empty: "0",
  rules: [],
  roles: {},
  value: action.label,
  __value: action.label,
  is_web_compatible: "1",
  is_mobile_compatible: "1",
  rules_grid: [],
  roles_grid: [],
  helper: null,
  allow_copy_to_clipboard: "0",
  allow_user_to_specify_user_level_default: "0",
  business_key: null,
  packaged_with_module: module,
  mw: null,
});
