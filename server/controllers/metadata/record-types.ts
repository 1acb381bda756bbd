// metadata/record_types: all types for administrators to choose from; those made at run time, saved and taken out of service
// by the operator's administrators.

import { Failure } from "../../../contract/failures.ts";
import { iconNames } from "../../../contract/icons.ts";
import { say, verb } from "../../../contract/messages.ts";
import { writeAll } from "../../../contract/texts/write.ts";
import { grantableOperations } from "../../access/matrix.ts";
import { mayRead } from "../../access/visibility.ts";
import { sql } from "../../database/sql.ts";
import { settleDesign } from "../../designs/settle-design.ts";
import { fieldTypes } from "../../fields/index.ts";
import { referencedBy } from "../../metadata/associations.ts";
import type { DesignRequest } from "../../metadata/changes/design-request.ts";
import { keyOf } from "../../metadata/compile.ts";
import { computingOf } from "../../metadata/computed/work.ts";
import { definitionRefused } from "../../metadata/definition-refusal.ts";
import { extend, isExtensible, readExtension, withLabels } from "../../metadata/extension.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { AS_SHIPPED, definitionRevision } from "../../metadata/save-designs.ts";
import { requireTransitionFields } from "../../metadata/uses/needed-by-transitions.ts";
import { isForOwnTypes, modulesOf } from "../../modules/development_base/menu-data.ts";
import { builtInTypes } from "../../modules/index.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { actor, requireCaller, requireDesigner } from "../../operations/require-caller.ts";
import { textAt } from "../../request/tree.ts";
import { guardDesign, withGuardAndAudit } from "./audit-design.ts";
import { usesOf } from "./field-uses.ts";
import { sentDefinition } from "./sent-definition.ts";

const names = (text: string | undefined): string[] => text?.match(/\w+/g) ?? [];

/** A definition is sent as JSON text: it is a document, not a form. */
const definitionOf = ({ call }: OperationContext): unknown => sentDefinition(textAt(call.parameters, "definition"));

/** Only what is sent is held to it: a definition that is stored stays good when an icon is no longer drawn. */
function requireKnownIcon(definition: unknown): void {
  const icon =
    typeof definition === "object" && definition !== null && "icon" in definition ? definition.icon : undefined;
  if (typeof icon !== "string" || iconNames.some((name) => name === icon)) return;
  throw definitionRefused([{ at: "icon", wrong: say("must_be_one_of", { options: iconNames }) }]);
}

function sentDesign(context: OperationContext): DesignRequest {
  const { parameters } = context.call;
  const definition = definitionOf(context);
  requireKnownIcon(definition);
  return {
    definition,
    discard: names(textAt(parameters, "discard")),
    convert: names(textAt(parameters, "convert")),
    restore: names(textAt(parameters, "restore")),
    isNew: textAt(parameters, "is_new") === "1",
    revision: textAt(parameters, "revision"),
    readable: (type, alias) => mayRead(requireCaller(context), type, alias),
  };
}

/** What a designer chooses from: every type, what of others refers to whom, modules, and what field types can do. */
export const index: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const caller = requireCaller(context);
    if (!caller.isAdministrator) {
      throw new Failure("administrator_required", { with: { operation: verb("design"), type: say("record_types") } });
    }
    const modules = modulesOf(context.snapshot);
    const called = new Map(modules.map(({ name, label }) => [name, label]));
    return {
      body: {
        data: {
          may_design: caller.isOperator ? 1 : 0,
          record_types: [...context.snapshot.types.values()].map((type) => ({
            ...listed(type, context.services.hooks[type.key]?.administratorsOnly ?? false),
            module_label: called.get(type.module),
          })),
          modules: modules.filter(isForOwnTypes),
          field_types: Object.values(fieldTypes).map(({ id, label, sortable, searchable, operators, ...type }) => ({
            id,
            label,
            sortable,
            searchable,
            may_be_unique: sortable && operators.includes("="),
            may_be_computed: type.result !== undefined,
          })),
        },
      },
    };
  },
};

const shippedOf = (key: string) => builtInTypes.find((one) => keyOf(one) === key);

const mayChange = ({ key, origin }: RecordType): boolean => {
  const shipped = shippedOf(key);
  return origin === "run-time" || (shipped !== undefined && isExtensible(shipped));
};

/** References that every record has. */
const everywhere = new Set(["owned_by", "primary_acl_group", "category_id"]);

const listed = (type: RecordType, administratorsOnly: boolean) => ({
  key: type.key,
  module: type.module,
  controller: type.controller,
  label: type.label,
  plural: type.plural,
  icon: type.icon ?? null,
  origin: type.origin,
  may_change: mayChange(type) ? 1 : 0,
  scope: type.scope,
  is_hidden: type.hidden ? 1 : 0,
  /** Only records that carry a stage can be on their way through a workflow. */
  may_have_workflow: type.field.has("current_stage") ? 1 : 0,
  field_count: type.fields.filter((field) => !field.system).length,
  /** Whether people can attach its records to records of any other type. */
  attaches_to_any: !type.refuses.add && type.associations.some(({ kind }) => kind === "belongs-to-any") ? 1 : 0,
  /** What a role can be given on it. */
  operations: grantableOperations(type, { administratorsOnly, isSetup: type.isSetup }),
  references: type.fields.flatMap((field) => {
    const to = field.system || everywhere.has(field.name) ? undefined : referencedBy(type, field);
    return to === undefined ? [] : [{ field: field.name, label: field.label, to }];
  }),
});

export const save: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requireDesigner(context);
    const { database, metadata } = context.services;
    const design = sentDesign(context);
    const by = actor(context, requireCaller(context));
    const result = await metadata.save(design, withGuardAndAudit(by, context.snapshot));
    await settleDesign(database, metadata);
    return {
      message: [say("saved", { type: result.key })],
      body: {
        data: {
          record_types: {
            key: result.key,
            discarded_values: String(result.discardedValues),
            converted_values: String(result.convertedValues),
            renamed: result.renamed,
          },
        },
      },
    };
  },
};

export const check: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    const { key, renamed, discarded, converted } = await context.services.metadata.check(
      sentDesign(context),
      async (db, before, after) => {
        const { organizationId } = requireCaller(context);
        await guardDesign(db, organizationId, context.snapshot, before, after);
        await requireTransitionFields(db, organizationId, before, after);
      },
    );
    const told = converted.map((one) => ({ ...one, examples: writeAll(one.examples, context.language) }));
    const { database, metadata } = context.services;
    const fields = [...[...discarded, ...converted].map(({ field }) => field), ...renamed.map(({ from }) => from)];
    const caller = requireCaller(context);
    const { snapshot: after } = await metadata.designed(sentDesign(context).definition);
    const { byField: uses } = await usesOf({ db: database, snapshot: metadata.current(), after, caller, key, fields });
    return { body: { data: { record_types: { key, renamed, discarded, converted: told, uses } } } };
  },
};

export const view: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    const key = textAt(context.call.parameters, "key") ?? "";
    const row = await context.services.database.row(sql`
      select key, definition, created, modified, modified_by, ${definitionRevision} as revision from metadata__record_types where key = ${key}`);
    const shipped = shippedOf(key);
    const computing = await computingOf(context.services.database, key);
    if (!shipped && !row) throw new Failure("unknown_controller", { with: { type: key } });
    if (!shipped) return { body: { data: { record_types: { ...row, origin: "run-time", may_change: 1, computing } } } };
    const extension = row ? readExtension(JSON.parse(row.definition ?? "")) : undefined;
    const definition = JSON.stringify(withLabels(extension ? extend(shipped, extension) : shipped));
    const isOpen = isExtensible(shipped);
    const revision = isOpen ? (row?.revision ?? AS_SHIPPED) : null;
    const told = { key, definition, shipped: JSON.stringify(withLabels(shipped)), revision, origin: "built-in" };
    const { modified = null, modified_by = null } = row ?? {};
    const last = { modified, modified_by };
    return { body: { data: { record_types: { ...told, ...last, may_change: isOpen ? 1 : 0, computing } } } };
  },
};

export const remove: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requireDesigner(context);
    const key = textAt(context.call.parameters, "key") ?? "";
    if (textAt(context.call.parameters, "is_confirm") !== "1") {
      throw new Failure("conflict", {
        with: { reason: say("confirm_removal", { type: key }) },
      });
    }
    const { database, metadata } = context.services;
    await metadata.remove(key, withGuardAndAudit(actor(context, requireCaller(context)), context.snapshot));
    await settleDesign(database, metadata);
    return { message: [say("type_out", { type: key })], body: { data: [] } };
  },
};
