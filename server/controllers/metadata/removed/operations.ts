// metadata/record_types: removed, restore, purge. What designers removed in the last 30 days, brought back with its values or deleted for good.

import { Failure } from "../../../../contract/failures.ts";
import { say } from "../../../../contract/messages.ts";
import { audit } from "../../../access/audit.ts";
import type { Queryable } from "../../../database/database.ts";
import { tryLockTables } from "../../../database/locks.ts";
import { sql } from "../../../database/sql.ts";
import { settleDesign } from "../../../designs/settle-design.ts";
import type { DesignRequest } from "../../../metadata/changes/design-request.ts";
import { type Removed, readRemoved, requireRemoved } from "../../../metadata/changes/removed.ts";
import { keyOf } from "../../../metadata/compile.ts";
import { extend, readExtension } from "../../../metadata/extension.ts";
import type { FieldDefinition, RecordTypeDefinition } from "../../../metadata/record-type.ts";
import { builtInTypes } from "../../../modules/index.ts";
import type { Operation } from "../../../operations/operation.ts";
import { actor, requireCaller, requireDesigner } from "../../../operations/require-caller.ts";
import { textAt } from "../../../request/tree.ts";
import { withGuardAndAudit } from "../audit-design.ts";
import { purgeRemoved } from "./purge-removed.ts";

const presented = ({ id, type, field, label, definition, values, removed, expires, userName }: Removed) => ({
  id,
  key: type,
  field,
  label,
  // Only definitions that the service has checked are kept.
  type: field === null ? null : (JSON.parse(definition) as FieldDefinition).type,
  values,
  removed,
  expires,
  removed_by: userName,
});

export const removed: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    const found = await readRemoved(context.services.database, textAt(context.call.parameters, "key"));
    return { body: { data: { removed: found.map(presented) } } };
  },
};

/** The design as it would be with it. */
async function designWith(db: Queryable, { id, type: key, field, definition }: Removed): Promise<DesignRequest> {
  const kept: unknown = JSON.parse(definition);
  if (field === null) return { definition: kept, isNew: true, comesBack: true };
  const row = await db.row(sql`
    select definition::text as definition from metadata__record_types where key = ${key}`);
  const shipped = builtInTypes.find((one) => keyOf(one) === key);
  const extension = shipped && row ? readExtension(JSON.parse(row.definition ?? "{}")) : undefined;
  const own = row && !shipped ? (JSON.parse(row.definition ?? "{}") as RecordTypeDefinition) : undefined;
  const present = shipped ? (extension ? extend(shipped, extension) : shipped) : own;
  if (!present) throw new Failure("unknown_controller", { with: { type: key } });
  const withField = { ...present, fields: [...present.fields, kept as FieldDefinition] };
  return { definition: withField, restore: [field], restoredFrom: id, comesBack: true };
}

export const restore: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requireDesigner(context);
    const { database, metadata } = context.services;
    const by = actor(context, requireCaller(context));
    // What it is added to is the design of this moment: nobody saves another one meanwhile.
    const one = await metadata.design(async ({ transaction, snapshot, save }) => {
      const found = await requireRemoved(transaction, textAt(context.call.parameters, "id") ?? "");
      const type = (await snapshot()).types.get(found.type);
      const { field, label } = found;
      if (field !== null && (type?.field.has(field) || type?.fieldAliases.has(field)))
        throw new Failure("conflict", { with: { reason: say("removed_taken", { field: label, name: field }) } });
      await save([await designWith(transaction, found)], withGuardAndAudit(by, context.snapshot));
      return found;
    });
    await settleDesign(database, metadata);
    return {
      message: [say("removed_restored", { name: one.label })],
      body: { data: { key: one.type, field: one.field } },
    };
  },
};

export const purge: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requireDesigner(context);
    const { database, metadata, finishPurges } = context.services;
    const { parameters } = context.call;
    const id = textAt(parameters, "id") ?? "";
    const asked = await requireRemoved(database, id);
    if (textAt(parameters, "is_confirm") !== "1") {
      throw new Failure("conflict", { with: { reason: say("confirm_purge_design", { name: asked.label }) } });
    }
    await metadata.design(async ({ transaction, snapshot }) => {
      if (!(await tryLockTables(transaction))) throw new Failure("backup_running");
      const one = await requireRemoved(transaction, id);
      await purgeRemoved(transaction, await snapshot(), one);
      await audit(transaction, context.snapshot, {
        ...actor(context, requireCaller(context)),
        event: "record_type_changed",
        subject: { type: "metadata/record_types", id: one.type, name: one.label },
        detail: { operation: "purge", ...(one.field === null ? {} : { field: one.field }) },
      });
    });
    finishPurges();
    const words = asked.field === null ? "removed_purged" : "removed_field_purged";
    return { message: [say(words, { name: asked.label })], body: { data: [] } };
  },
};
