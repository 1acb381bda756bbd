// edit_selected, delete_selected, restore_selected: the same change to many records, each with the caller's own right to it.

import { Failure } from "../../contract/failures.ts";
import { type Message, type MessageCode, say } from "../../contract/messages.ts";
import { type Language, writeAll, writeByField } from "../../contract/texts/write.ts";
import { actionsOf, chosenAction } from "../forms/actions.ts";
import type { ChunkOutcome, JobInput } from "../jobs/job.ts";
import { keepValues } from "../jobs/kept-values.ts";
import type { BulkKind } from "../jobs/kinds.ts";
import { type StartedBulk, startBulk } from "../jobs/start-bulk.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { planWrite } from "../plan/plan-write.ts";
import { echo } from "../request/echo.ts";
import { flagAt, isTree, type Tree, textAt, UploadedFile } from "../request/tree.ts";
import { addressed, granted } from "./addressed.ts";
import type { JsonResult, Operation, OperationContext } from "./operation.ts";
import { sentRecord } from "./save.ts";
import { selectionOf } from "./selection.ts";
import { runWrite } from "./write.ts";

const isSet = ({ call }: OperationContext, name: string): boolean => textAt(call.parameters, name) === "1";

const bulk = { authentication: "required", reads: false, matrix: "bulk" } as const;

export const editSelected: Operation = {
  ...bulk,
  writes: "edit",
  methods: ["POST"],
  run: (context) => {
    atMostOneAction(context, "edit");
    const { type } = addressed(context);
    const sent = sentRecord(context.call.data, type.alias);
    return run(context, "edit", sent, {
      values: newValues(context, sent),
      overrideDuplicates: isSet(context, "override_duplicates"),
    });
  },
};

export const deleteSelected: Operation = {
  ...bulk,
  writes: "delete",
  methods: ["GET", "POST"],
  run: (context) => {
    const { type } = addressed(context);
    const sent = sentRecord(context.call.data, type.alias);
    const override = isSet(context, "override");
    if (!override && !isSet(context, "is_confirm"))
      throw new Failure("not_confirmed", { with: { reason: say("nothing_deleted") } });
    return run(context, "delete", sent, { override });
  },
};

export const restoreSelected: Operation = {
  ...bulk,
  writes: "restore",
  methods: ["POST"],
  run: (context) => run(context, "restore", sentRecord(context.call.data, addressed(context).type.alias), {}),
};

async function run(
  context: OperationContext,
  kind: "edit" | "delete" | "restore",
  sent: Tree,
  more: Omit<JobInput, "atomic">,
): Promise<JsonResult> {
  const { type } = addressed(context);
  const grant = granted(context);
  const selection = await selectionOf(context, sent);
  const input = { ...more, atomic: flagAt(context.call.parameters, "atomic") };
  return runWrite(context, async (work) => {
    const started = await startBulk(work, { kind, grant, selection, input });
    return async () => answerOf(type, kind, started, context.language);
  });
}

/** At most one, and one that can be taken: a bulk operation need not name any. */
export function atMostOneAction({ call }: OperationContext, mode: "add" | "edit"): void {
  const possible = actionsOf(mode);
  if (call.actions.length === 0 || chosenAction(call.actions, possible)) return;
  const actions = possible.map((one) => `${one.name} (${one.label})`);
  throw new Failure("unknown_action", { with: { actions }, body: { data: echo(call.data) } });
}

/** What is to be changed, read once before any record is touched: a fault of the values themselves is everybody's. */
function newValues(context: OperationContext, sent: Tree): string {
  const { type } = addressed(context);
  const { id: _ids, ...values } = sent;
  if (values.revision !== undefined) {
    const reason = say("revision_of_one");
    throw new Failure("malformed_parameter", { with: { name: `data[${type.alias}][revision]`, reason } });
  }
  const plan = planWrite(context.snapshot, granted(context), values);
  const byField: Record<string, readonly Message[]> = { ...plan.errors };
  for (const { association } of plan.children) {
    byField[`${type.alias}.${association.name}`] = [say("not_in_bulk", { field: association.label })];
  }
  for (const [name, value] of Object.entries(values)) {
    if (hasFile(value)) byField[`${type.alias}.${name}`] = [say("file_in_bulk")];
  }
  const errors = Object.values(byField).flat();
  if (errors.length > 0)
    throw new Failure("invalid", { errors, byField, body: { data: { [type.alias]: echo(sent) } } });
  if (plan.values.size === 0) {
    const reason = say("must_hold_values");
    throw new Failure("malformed_parameter", { with: { name: `data[${type.alias}]`, reason } });
  }
  return keepValues(values);
}

function hasFile(value: Tree[string]): boolean {
  if (value instanceof UploadedFile) return true;
  if (isTree(value)) return Object.values(value).some(hasFile);
  return Array.isArray(value) && value.some(hasFile);
}

const done = {
  edit: "many_updated",
  delete: "many_deleted",
  restore: "many_restored",
  add: "many_added",
  move: "many_moved",
  undo: "many_undone",
} as const satisfies Record<Exclude<BulkKind, "upsert" | "import">, MessageCode>;

export const counted = (count: number, type: RecordType): Message =>
  say("counted", {
    count,
    name: count === 1 ? type.noun : type.nouns,
  });

/** `4,957 leads updated`, and what was not, in one sentence. */
export function startedMessage(type: RecordType, kind: BulkKind, { outcome, total }: StartedBulk): readonly Message[] {
  if (!outcome) return [say("many_queued", { records: counted(total, type) })];
  const failed = Object.keys(outcome.failed).length;
  const { removed = 0 } = outcome;
  const left = Object.keys(outcome.leftAlone ?? {}).length - removed;
  const parts = [
    kind === "upsert" || kind === "import"
      ? upserted(outcome)
      : say(done[kind], { records: counted(outcome.changed.length, type) }),
    ...(failed > 0 ? [say("some_failed", { count: failed })] : []),
    ...(left > 0 ? [say("some_left", { count: left })] : []),
    ...(removed > 0 ? [say("some_left_removed", { count: removed })] : []),
  ];
  return [say("sentences", { parts })];
}

const upserted = ({ counts = {} }: ChunkOutcome): Message => {
  const { added = 0, changed = 0, unchanged = 0 } = counts;
  return say("many_upserted", { added, changed, unchanged });
};

export function answerOf(type: RecordType, kind: BulkKind, started: StartedBulk, language: Language): JsonResult {
  const { jobId, outcome, total } = started;
  const message = startedMessage(type, kind, started);
  if (!outcome)
    return { status: 202, message, body: { job_id: jobId, is_queued: 1, total, data: { changed: [], failed: {} } } };
  const kept = (outcome.kept ?? []).flatMap(({ type: controller, id, reasons }) =>
    reasons ? [{ controller, id, reasons: writeAll(reasons, language) }] : [],
  );
  const data = {
    changed: outcome.changed,
    failed: writeByField(outcome.failed, language),
    ...(outcome.leftAlone ? { left_alone: outcome.leftAlone } : {}),
    ...(kept.length > 0 ? { kept } : {}),
  };
  return { message, body: { job_id: jobId, is_queued: 0, total, data } };
}
