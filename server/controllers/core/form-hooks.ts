// Forms: written by those who may design the record type that they are for, because a form decides who sees which field; one
// that does not fit its record type is refused when it is saved, with everything that is wrong with it.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { mayDesignForms } from "../../access/matrix.ts";
import { checkForm } from "../../forms/check-form.ts";
import { inDefinition } from "../../lib/design-fault.ts";
import type { RecordHooks } from "../../records/hooks.ts";

export const formHooks: RecordHooks = {
  // What a form hides is hidden everywhere.
  changesAccess: "callers",
  check: async ({ snapshot, caller, comesBack }, { operation, before, after }) => {
    // A form that is changed, moved to another type, taken away or brought back changes what people see of each.
    for (const key of new Set([before?.controller, after?.controller])) {
      if (key != null && !mayDesignForms(caller, key))
        throw new Failure("form_designer_required", { with: { type: key } });
    }
    if (operation === "delete" || after?.controller == null) return {};
    const type = snapshot.types.get(after.controller);
    if (!type) return { controller: [say("unknown_type")] };
    if (!type.takesForms) return { controller: [say("no_custom_form", { type: type.plural })] };
    if (after.definition == null) return {};
    const stored = before?.controller === after.controller ? (before?.definition ?? null) : null;
    const checked = checkForm(after.definition, type, snapshot, comesBack ? after.definition : stored);
    return checked.ok ? {} : { definition: checked.faults.map(inDefinition) };
  },
};
