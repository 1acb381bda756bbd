// Forms: one that does not fit its record type is refused when it is saved, with everything that is wrong with it.
import { checkForm } from "../../forms/check-form.ts";
import type { RecordHooks } from "../../records/hooks.ts";

export const formHooks: RecordHooks = {
  // What a form hides is hidden everywhere.
  changesAccess: "callers",
  check: async ({ snapshot }, { operation, after }) => {
    if (operation === "delete" || after?.controller == null) return {};
    const type = snapshot.types.get(after.controller);
    if (!type) return { controller: ["Record type is not one that this service has"] };
    if (after.definition == null) return {};
    const checked = checkForm(after.definition, type, snapshot);
    return checked.ok ? {} : { definition: checked.errors.map((error) => `Definition ${error}`) };
  },
};
