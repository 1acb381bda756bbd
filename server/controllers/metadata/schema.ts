// metadata/schema index: what a record type is made of, as far as the caller may know it.

import { Failure } from "../../../contract/failures.ts";
import type { FieldTypeId } from "../../../contract/field-types.ts";
import { say } from "../../../contract/messages.ts";
import type { Caller } from "../../access/caller.ts";
import { fieldMask, fieldPermission } from "../../access/field-mask.ts";
import { authorize } from "../../access/matrix.ts";
import type { Field } from "../../fields/field-type.ts";
import { settingsTold, targetOf, typeOf } from "../../metadata/compile.ts";
import type { Association, RecordType } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import type { Operation } from "../../operations/operation.ts";
import { requireCaller } from "../../operations/require-caller.ts";
import { choicesTold } from "../../plan/plan-choices.ts";
import { textAt } from "../../request/tree.ts";
import { effectRefusal } from "../../workflow/effect-fields.ts";

/** The wire's names for kinds of association. */
const associationKinds = {
  belongsTo: ["belongs-to", "belongs-to-any"],
  hasMany: ["has-many", "has-many-polymorphic"],
  hasManyThrough: ["has-many-through"],
} as const satisfies Record<string, readonly Association["kind"][]>;

/** What of a field's settings a client can use: the length of a text, the options of a choice, a reference's target. */
function settingsOf(settings: unknown) {
  // Settings are objects of the field type's own making.
  const { maxLength, options, to, precision, scale } = settings as Record<string, unknown>;
  return { length: maxLength ?? precision ?? null, scale: scale ?? null, options: options ?? null, to: to ?? null };
}

export const schema: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  keepsLimits: true,
  async run(context) {
    const caller = requireCaller(context);
    const { parameters } = context.call;
    const key = textAt(parameters, "search_controller") ?? textAt(parameters, "controller");
    if (key === undefined) {
      throw new Failure("malformed_parameter", {
        with: { name: "search_controller", reason: say("must_name_type") },
      });
    }
    const type = requireType(context.snapshot, key);
    authorize(caller, type, "view");
    const mask = fieldMask(type, caller);
    const wanted: readonly string[] = (textAt(parameters, "fetch_associations") ?? "").match(/\w+/g) ?? [];
    for (const kind of wanted) {
      if (!Object.hasOwn(associationKinds, kind)) {
        const reason = say("must_be_one_of_not", { options: Object.keys(associationKinds), sent: kind });
        throw new Failure("malformed_parameter", { with: { name: "fetch_associations", reason } });
      }
    }
    const associations = Object.fromEntries(
      Object.entries(associationKinds)
        .filter(([kind]) => wanted.includes(kind))
        .map(([kind, kinds]) => [kind, associationsOf(type, kinds, mask.visible)]),
    );
    return {
      body: {
        data: {
          record_type: {
            key: type.key,
            label: type.label,
            plural: type.plural,
            icon: type.icon ?? null,
            display_field: `${type.alias}.${type.displayField}`,
            scope: type.scope,
            id_kind: type.idKind,
            allow_comments: type.allowComments ? 1 : 0,
            business_key: type.businessKey?.prefix ?? null,
            origin: type.origin,
          },
          schema: type.fields
            .filter((field) => mask.visible.has(field.name))
            .map((field) => ({
              name: field.name,
              column_name: `${type.alias}.${field.name}`,
              label: field.label,
              type: field.type,
              data_type: typeOf(field).dataType,
              operators: typeOf(field).operators,
              ...settingsOf(field.settings),
              ...settingsTold(field),
              ...choicesTold(type, field.name, caller),
              ...sortedBy(context.snapshot, caller, field),
              sortable: field.sortable,
              searchable: field.searchable,
              required: field.required,
              permission: fieldPermission(type, field.name, caller, "edit"),
              help: field.help ?? null,
              initial: field.initial ?? null,
              system: field.system,
              computed: field.computed !== undefined,
              looked_up_as: lookedUpAs(field),
              workflow_may_set: effectRefusal(type, field.name, "set") === undefined,
            })),
          associations,
        },
      },
    };
  },
};

/** The type of a computed field that shows its values on another record; null where none can. */
const lookedUpAs = (field: Field): FieldTypeId | null => {
  const type = typeOf(field);
  return type.value === undefined ? null : (type.lookedUpAs?.(field.settings).type ?? field.type);
};

/** What records of a reference's type are put in order by, where that is not what they are called. */
function sortedBy(snapshot: Snapshot, caller: Caller, field: Field): { readonly sort_by?: string } {
  const target = snapshot.types.get(targetOf(field) ?? "");
  if (target === undefined || target.sortField === target.displayField) return {};
  return fieldMask(target, caller).visible.has(target.sortField) ? { sort_by: target.sortField } : {};
}

function associationsOf(type: RecordType, kinds: readonly Association["kind"][], visible: ReadonlySet<string>) {
  return type.associations
    .filter((association) => kinds.includes(association.kind))
    .filter((association) => association.kind !== "belongs-to" || visible.has(association.via));
}
