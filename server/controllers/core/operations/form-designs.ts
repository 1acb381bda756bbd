// core/forms for designers: the form that a record type has when nobody saved one, and how one that is being designed would
// look for whoever asks or for a role. Nothing is kept.
import { Failure } from "../../../../contract/failures.ts";
import { write } from "../../../../contract/texts/write.ts";
import type { Caller } from "../../../access/caller.ts";
import { asRole } from "../../../access/elevate.ts";
import { mayDesignForms } from "../../../access/matrix.ts";
import { checkForm } from "../../../forms/check-form.ts";
import { compileForm } from "../../../forms/compile-form.ts";
import { generateForm } from "../../../forms/generate-form.ts";
import { inDefinition } from "../../../lib/design-fault.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import { requireType } from "../../../metadata/snapshot.ts";
import type { Operation, OperationContext } from "../../../operations/operation.ts";
import { requireCaller } from "../../../operations/require-caller.ts";
import { textAt } from "../../../request/tree.ts";

function designed(context: OperationContext): { readonly caller: Caller; readonly type: RecordType } {
  const caller = requireCaller(context);
  const type = requireType(context.snapshot, textAt(context.call.parameters, "controller") ?? "");
  if (!mayDesignForms(caller, type.key)) throw new Failure("form_designer_required", { with: { type: type.key } });
  return { caller, type };
}

export const generated: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    return { body: { data: { definition: generateForm(designed(context).type) } } };
  },
};

export const preview: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: true,
  async run(context) {
    const { caller, type } = designed(context);
    const { parameters } = context.call;
    const checked = checkForm(textAt(parameters, "definition") ?? "", type, context.snapshot);
    if (!checked.ok) {
      const errors = checked.faults.map(inDefinition);
      throw new Failure("invalid", { errors, byField: { "forms.definition": errors } });
    }
    // A saved form with such a condition goes on: it is told, not refused.
    const strict = checkForm(textAt(parameters, "definition") ?? "", type, context.snapshot, null);
    const warnings = strict.ok ? [] : strict.faults.map((fault) => write(inDefinition(fault), caller.language));
    const role = textAt(parameters, "role");
    const form = compileForm({
      definition: checked.form,
      type,
      snapshot: context.snapshot,
      caller: role === undefined ? caller : asRole(caller, role),
      mode: "edit",
      id: null,
    });
    const start = new Map(type.fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])));
    for (const [name, value] of form.defaults) start.set(name, value);
    const json = (bytes: Buffer): unknown => JSON.parse(bytes.toString());
    return {
      body: {
        warnings,
        alias: type.alias,
        singular: type.label,
        model: type.key,
        form: json(form.render((name) => start.get(name) ?? null)),
        filterRules: json(form.filterRules),
        data: { [type.alias]: Object.fromEntries(start) },
      },
    };
  },
};
