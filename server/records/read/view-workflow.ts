// Takes a record as it was read; gives where it is in its workflow, whom it waits for, and what the caller may do about
// it. Undefined where its type has no workflow.

import { fieldsOf, type ValueOf } from "../../../contract/conditions.ts";
import { say } from "../../../contract/messages.ts";
import { write } from "../../../contract/texts/write.ts";
import type { WireWorkflow } from "../../../contract/workflow.ts";
import type { Caller } from "../../access/caller.ts";
import { type NamedLookup, readFacts } from "../../access/principal-lookup.ts";
import { isPermitted } from "../../access/rule.ts";
import { ident, join, sql } from "../../database/sql.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { actorContextOf, namedActors } from "../../workflow/actor-context.ts";
import { workflowInForce, workflowOfNode } from "../../workflow/find-workflow.ts";
import { beginning } from "../../workflow/stage-field.ts";
import {
  type ActorContext,
  actorsAsked,
  conditionHolds,
  hasChoices,
  mayTake,
  pendingActors,
  takeable,
  takersOf,
  type WorkflowState,
} from "../../workflow/state.ts";
import type { Transition } from "../../workflow/workflow.ts";
import { actorNames, shownActors } from "../workflow/actor-names.ts";
import { madeOf, readAgreed } from "../workflow/stage-log.ts";
import type { Reader } from "./display-texts.ts";
import type { NamedPeople } from "./known-people.ts";
import type { FoundRecord } from "./read-record.ts";

export interface ViewedWorkflow {
  readonly shown: WireWorkflow;
  /** What can be taken now, as it is. */
  readonly possible: readonly Transition[];
}

export async function viewWorkflow(
  reader: Reader,
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  record: FoundRecord,
): Promise<ViewedWorkflow | undefined> {
  const state = await stateOf(reader, snapshot, type, caller, record);
  if (!state) return undefined;
  const { workflow, stage } = state;
  const { words } = snapshot;
  const values = { ...record.values, ...(await hiddenValues(reader, type, caller, record, state)) };
  const read = (field: string) => values[field];
  const owner = typeof values.owned_by === "string" ? values.owned_by : null;
  const rights = record.rights.edit && !record.deleted;
  // Everybody who is spoken of, looked up once.
  const asked = [...new Set([...actorsAsked(state, read), ...state.agreed])];
  const facts =
    asked.length === 0
      ? undefined
      : await peopleNamed(reader, caller, record, namedActors(owner === null ? [] : [owner], asked));
  const actorContext = await actorContextOf(reader.db, caller, owner, asked, rights, facts);
  // A transition is an edit: whoever may not edit any of these records is offered none.
  const edits = isPermitted(caller, type, "edit");
  const mine = record.deleted || !edits ? [] : takeable(state, actorContext, read);
  const pending = pendingActors(state, read);
  const transitions = mine.map((transition) => {
    const to = workflow.byKey.get(transition.to);
    return {
      name: transition.name,
      label: words(transition.label),
      kind: transition.kind,
      to: to?.id ?? "",
      __to: words(to?.name ?? ""),
      condition: transition.conditionText ?? null,
      possible: conditionHolds(transition, read),
      required: transition.required.map((field) => ({ field, label: type.field.get(field)?.label ?? field })),
      reason: transition.reason,
      has_choices: hasChoices(transition),
    };
  });
  const blocked: WireWorkflow["blocked"][number][] = [];
  for (const transition of record.deleted ? [] : stage.out) {
    const { name, to } = transition;
    const label = words(transition.label);
    const reason = edits
      ? await refusalOf(reader, caller, owner, state, { ...transition, label }, actorContext, read, facts)
      : write(say("no_role_edits", { type: type.plural }), caller.language);
    if (reason !== undefined) blocked.push({ name, label, to: workflow.byKey.get(to)?.id ?? "", reason });
  }
  const names = (actors: typeof pending) => actorNames(reader.db, caller, owner, actors, facts);
  return {
    possible: mine.filter((transition) => conditionHolds(transition, read)),
    shown: {
      id: workflow.id,
      name: words(workflow.name),
      version: workflow.version,
      stage: stage.id,
      __stage: words(stage.name),
      since: record.stage?.split(" ").slice(2).join(" ") ?? null,
      stages: workflow.stages.map(({ id, key, name, kind, color }) => ({ id, key, name: words(name), kind, color })),
      fixed: [...stage.fixed],
      actors: await names(pending),
      is_my_turn: !record.deleted && pending.some((actor) => actorContext.holds(actor)),
      agreed: await names([...state.agreed]),
      transitions,
      blocked,
      undo:
        record.deleted || !record.rights.edit || !edits
          ? null
          : await undoable(reader, caller, record, state, read, words),
    },
  };
}

const peopleNamed = (
  { db, memory }: Reader,
  { organizationId }: Caller,
  { peopleVersion }: FoundRecord,
  named: NamedPeople,
): Promise<NamedLookup> =>
  memory && peopleVersion !== undefined
    ? memory.people.of(organizationId, peopleVersion, named)
    : readFacts(db, organizationId, named);

async function stateOf(
  reader: Reader,
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  record: FoundRecord,
): Promise<WorkflowState | undefined> {
  const { organizationId } = caller;
  const [node, version] = record.stage?.split(" ") ?? [];
  if (node === undefined || version === undefined) {
    const workflow = await workflowInForce(reader.db, snapshot, organizationId, record.workflowPointer);
    return workflow && beginning(type, workflow, record.values);
  }
  const workflow = await workflowOfNode(reader.db, snapshot, organizationId, node, version);
  const stage = workflow?.byNode.get(node);
  if (!workflow || !stage) return undefined;
  return {
    workflow,
    stage,
    agreed: stage.needsAll ? await readAgreed(reader.db, organizationId, type.key, record.id) : [],
  };
}

/** Why the caller cannot take a transition now; undefined where it can, with what it asks for. */
async function refusalOf(
  reader: Reader,
  caller: Caller,
  owner: string | null,
  state: WorkflowState,
  transition: Transition,
  actorContext: ActorContext,
  read: ValueOf,
  facts: NamedLookup | undefined,
): Promise<string | undefined> {
  if (mayTake(state, transition, actorContext, read)) {
    return conditionHolds(transition, read)
      ? undefined
      : write(
          say("needs_condition", { action: transition.label, condition: transition.conditionText ?? "" }),
          caller.language,
        );
  }
  const takers = takersOf(state, transition, read);
  if (takers === undefined) return write(say("needs_edit", { action: transition.label }), caller.language);
  const actors = await shownActors(reader.db, caller, owner, takers, facts);
  return write(say("waits_for", { action: transition.label, actors }), caller.language);
}

/** The record's last step, where it is one that the caller could have taken and that can be taken back. */
async function undoable(
  reader: Reader,
  caller: Caller,
  record: FoundRecord,
  { workflow, stage }: WorkflowState,
  read: ValueOf,
  words: (label: string) => string,
): Promise<WireWorkflow["undo"]> {
  const ways = workflow.stages.flatMap((from) =>
    from.out.flatMap((one) => (one.canUndo && one.to === stage.key ? [{ from, one }] : [])),
  );
  const last = record.lastStep;
  const way = ways.find(
    ({ from, one }) => last?.step === "move" && last.kind !== "undo" && one.name === last.name && from.id === last.from,
  );
  if (!last || !way) return null;
  const before = { workflow, stage: way.from, agreed: [] };
  const owner = read("owned_by");
  const actorContext = await actorContextOf(
    reader.db,
    caller,
    typeof owner === "string" ? owner : null,
    actorsAsked(before, read),
    record.rights.edit,
  );
  if (!mayTake(before, way.one, actorContext, read)) return null;
  return {
    name: way.one.name,
    label: words(way.one.label),
    step: last.id,
    from: way.from.id,
    has_created: madeOf(last.made).length > 0,
  };
}

/** Fields that the workflow asks about and this caller does not see. */
async function hiddenValues(
  reader: Reader,
  type: RecordType,
  caller: Caller,
  record: FoundRecord,
  { stage }: WorkflowState,
): Promise<Record<string, string | null | { readonly [part: string]: string | null }>> {
  const actors = [...stage.actors, ...stage.out.flatMap((one) => one.by ?? [])];
  const wanted = new Set([
    "owned_by",
    ...actors.flatMap((actor) => (actor.startsWith("field:") ? [actor.slice("field:".length)] : [])),
    ...stage.out.flatMap((one) => (one.condition ? [...fieldsOf(one.condition)] : [])),
  ]);
  const missing = [...wanted].filter((name) => !(name in record.values)).flatMap((name) => type.field.get(name) ?? []);
  if (missing.length === 0) return {};
  const columns = missing.flatMap((field) => type.columns.get(field.name) ?? []);
  const [row = []] = await reader.run(sql`
    select ${join(columns.map((column) => sql`${ident(column.name)}::text`))}
    from ${ident(type.table)} where organization_id = ${caller.organizationId}::bigint and id = ${record.id}::${idTypeOf(type)}`);
  let at = 0;
  return Object.fromEntries(
    missing.map((field) => {
      const width = type.columns.get(field.name)?.length ?? 1;
      const values = row.slice(at, at + width);
      at += width;
      return [field.name, typeOf(field).present(values, field)];
    }),
  );
}
