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
import { type AddedIndex, addedIndexes, MOST_INDEXES, notIndexable, refuseIndex } from "../../metadata/indexes.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { actor, requireCaller, requireDesigner } from "../../operations/require-caller.ts";
import { indexProgress } from "../../query/index-progress.ts";
import { textAt } from "../../request/tree.ts";
import { indexChange } from "./index-change.ts";

const conflict = (reason: ReturnType<typeof say>): Failure => new Failure("conflict", { with: { reason } });

interface Asked {
  readonly type: RecordType;
  readonly field: Field;
}

const noField = (reason: ReturnType<typeof say>): Failure =>
  new Failure("malformed_parameter", { with: { name: "field", reason } });

/** Of an index that may be there: designers are told of all of them. */
function askedIndex(context: OperationContext): Asked {
  const { parameters } = context.call;
  const type = requireType(context.snapshot, textAt(parameters, "key") ?? "");
  const field = type.field.get(textAt(parameters, "field") ?? "");
  if (!field) throw noField(say("no_such_field", { type: type.key }));
  return { type, field };
}

function askedField(context: OperationContext): Asked {
  const asked = askedIndex(context);
  const isVisible = fieldMask(asked.type, requireCaller(context)).visible.has(asked.field.name);
  if (!isVisible) throw noField(say("no_such_field", { type: asked.type.key }));
  return asked;
}

/** Committed with the change, or not at all. */
const auditIndex = (
  context: OperationContext,
  db: Queryable,
  { type, field }: Asked,
  from: string | null,
  to: string | null,
) =>
  audit(db, context.snapshot, {
    ...actor(context, requireCaller(context)),
    ...indexChange(type, field, { from, to }),
  });

export async function presentIndex(context: OperationContext, type: RecordType, index: AddedIndex) {
  const { field, state, failure, automatic, since } = index;
  const progress = state === "building" ? await indexProgress(context.services.database, type, field) : null;
  const label = type.field.get(field)?.label ?? field;
  return { field, label, state, failure, progress, automatic: automatic ? 1 : 0, since };
}

const answer = async (context: OperationContext, type: RecordType) => {
  const added = await addedIndexes(context.services.database, type.key);
  const indexes = await Promise.all(added.map((one) => presentIndex(context, type, one)));
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
    let isKept = false;
    // Whoever asks or designs at the same time waits here: the limit holds for both.
    await context.services.metadata.changeIndexes(async (transaction) => {
      const added = await addedIndexes(transaction, type.key);
      const own = added.find((one) => one.field === field.name);
      // One that the service asked for is there already, and stays from now on.
      if (own?.automatic && ["building", "ready"].includes(own.state)) {
        await keep(context, transaction, { type, field });
        isKept = true;
        return;
      }
      // Only what failed is tried again. The stored definition knows of an index that was ready a moment ago; memory may not yet.
      if (own ? own.state !== "failed" : field.indexed || (await isDefined(transaction, type.key, field.name)))
        throw conflict(say("index_exists", { name: field.label }));
      if (added.filter((one) => one !== own).length >= MOST_INDEXES)
        throw conflict(say("index_limit", { max: MOST_INDEXES }));
      await transaction.run(sql`
        insert into metadata__indexes (record_type, field) values (${type.key}, ${field.name})
        on conflict (record_type, field) do update
          set state = 'building', failure = null, requested = excluded.requested, automatic = false`);
      await auditIndex(context, transaction, { type, field }, null, "index");
      await notify(transaction, "dossier_indexes", type.key);
    });
    const said = say(isKept ? "index_kept" : "index_started", { name: field.label });
    return { message: [said], body: await answer(context, type) };
  },
};

/** An index that the service built by itself becomes one that was asked for: it is there until somebody removes it. */
export const keepIndex: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requireDesigner(context);
    const { type, field } = askedIndex(context);
    await context.services.database.transaction((transaction) => keep(context, transaction, { type, field }));
    return { message: [say("index_kept", { name: field.label })], body: await answer(context, type) };
  },
};

async function keep(
  context: OperationContext,
  transaction: Queryable,
  { type, field }: { readonly type: RecordType; readonly field: Field },
): Promise<void> {
  const kept = await transaction.run(sql`
    update metadata__indexes set automatic = false
    where record_type = ${type.key} and field = ${field.name} and automatic and state <> 'removing'`);
  if (kept.count === 0) throw noField(say("no_such_index", { name: field.label }));
  await auditIndex(context, transaction, { type, field }, "automatic index", "index");
}

export const removeIndex: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requireDesigner(context);
    const { type, field } = askedIndex(context);
    // Out of use with this, for all processes; the builder then drops it.
    await context.services.metadata.changeIndexes(async (transaction) => {
      if (await isDefined(transaction, type.key, field.name))
        throw conflict(say("index_by_design", { name: field.label }));
      const removed = await transaction.run(sql`
        update metadata__indexes set state = 'removing' where record_type = ${type.key} and field = ${field.name}`);
      if (removed.count === 0) throw noField(say("no_such_index", { name: field.label }));
      await refuseIndex(transaction, type.key, field.name);
      await auditIndex(context, transaction, { type, field }, "index", null);
      await notify(transaction, "dossier_indexes", type.key);
    });
    return { message: [say("index_removed", { name: field.label })], body: await answer(context, type) };
  },
};
