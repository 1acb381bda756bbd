// metadata/record_types: the indexes of a type that designers add and remove. They are built in the background; a list that
// needs one says so, and uses it as soon as it is there.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import { fieldMask } from "../../access/field-mask.ts";
import type { Queryable } from "../../database/database.ts";
import { notify } from "../../database/processes/notify.ts";
import { sql } from "../../database/sql.ts";
import type { Field } from "../../fields/field-type.ts";
import { isDefined } from "../../metadata/definition-indexes.ts";
import { type AddedIndex, addedIndexes, MOST_INDEXES, notIndexable } from "../../metadata/indexes.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { actor, requireCaller, requireDesigner } from "../../operations/require-caller.ts";
import { indexProgress } from "../../query/index-progress.ts";
import { textAt } from "../../request/tree.ts";

const conflict = (reason: ReturnType<typeof say>): Failure => new Failure("conflict", { with: { reason } });

function askedField(context: OperationContext): { readonly type: RecordType; readonly field: Field } {
  const { parameters } = context.call;
  const type = requireType(context.snapshot, textAt(parameters, "key") ?? "");
  const name = textAt(parameters, "field") ?? "";
  const field = type.field.get(name);
  if (!field || !fieldMask(type, requireCaller(context)).visible.has(name)) {
    const reason = say("no_such_field", { type: type.key });
    throw new Failure("malformed_parameter", { with: { name: "field", reason } });
  }
  return { type, field };
}

/** Committed with the change, or not at all. */
const auditIndex = (context: OperationContext, db: Queryable, type: RecordType, field: Field, to: string | null) =>
  audit(db, context.snapshot, {
    ...actor(context, requireCaller(context)),
    event: "record_type_changed",
    subject: { type: "metadata/record_types", id: type.key, name: `${type.label} / ${type.plural}` },
    detail: { operation: "edit", changes: { [field.name]: { from: to === null ? "index" : null, to } } },
  });

async function present(context: OperationContext, type: RecordType, { field, state, failure }: AddedIndex) {
  const progress = state === "building" ? await indexProgress(context.services.database, type, field) : null;
  const label = type.field.get(field)?.label ?? field;
  return { field, label, state, failure, progress };
}

const answer = async (context: OperationContext, type: RecordType) => {
  const added = await addedIndexes(context.services.database, type.key);
  const indexes = await Promise.all(added.map((one) => present(context, type, one)));
  return { data: { indexes, most: MOST_INDEXES } };
};

export const indexes: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    const type = requireType(context.snapshot, textAt(context.call.parameters, "key") ?? "");
    return { body: await answer(context, type) };
  },
};

export const buildIndex: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requireDesigner(context);
    const { type, field } = askedField(context);
    const impossible = notIndexable(type, field);
    if (impossible) throw conflict(impossible);
    // Whoever asks or designs at the same time waits here: the limit holds for both.
    await context.services.metadata.changeIndexes(async (transaction) => {
      const others = (await addedIndexes(transaction, type.key)).filter(
        (one) => one.field !== field.name || one.state !== "failed",
      );
      if (field.indexed || others.some((one) => one.field === field.name))
        throw conflict(say("index_exists", { name: field.label }));
      if (others.length >= MOST_INDEXES) throw conflict(say("index_limit", { max: MOST_INDEXES }));
      await transaction.run(sql`
        insert into metadata__indexes (record_type, field) values (${type.key}, ${field.name})
        on conflict (record_type, field) do update set state = 'building', failure = null, requested = excluded.requested`);
      await auditIndex(context, transaction, type, field, "index");
      await notify(transaction, "dossier_indexes", type.key);
    });
    return { message: [say("index_started", { name: field.label })], body: await answer(context, type) };
  },
};

export const removeIndex: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requireDesigner(context);
    const { type, field } = askedField(context);
    // Out of use with this, for all processes; the builder then drops it.
    await context.services.metadata.changeIndexes(async (transaction) => {
      if (await isDefined(transaction, type.key, field.name))
        throw conflict(say("index_by_design", { name: field.label }));
      const removed = await transaction.run(sql`
        update metadata__indexes set state = 'removing' where record_type = ${type.key} and field = ${field.name}`);
      if (removed.count === 0) {
        const reason = say("no_such_index", { name: field.label });
        throw new Failure("malformed_parameter", { with: { name: "field", reason } });
      }
      await auditIndex(context, transaction, type, field, null);
      await notify(transaction, "dossier_indexes", type.key);
    });
    return { message: [say("index_removed", { name: field.label })], body: await answer(context, type) };
  },
};
