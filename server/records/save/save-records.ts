// The only way to save records with their children: one, or many in one pass if nothing has to be checked between them.
// Each is saved, or refused with all its errors and nothing written. Call within a transaction.
import { Failure } from "../../../contract/failures.ts";
import { elevate } from "../../access/elevate.ts";
import { grantWithinLimits } from "../../access/grant.ts";
import { pause } from "../../lib/turns/pause.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { planSave, type SavePlan, type SentRecord } from "../../plan/plan-write.ts";
import type { Tree } from "../../request/tree.ts";
import { type Attempt, attempt, Interrupted } from "../bulk/with-savepoints.ts";
import { hooksOf, lockForChange, settle, type Work } from "../hooks.ts";
import { notifyActors } from "../workflow/notify-actors.ts";
import { logSteps, type Makers, makeRecords, settleStep } from "../workflow/run-effects.ts";
import { type ChangedRecord, tellFollowers } from "../workflow/tell-followers.ts";
import { canBatch } from "./batch.ts";
import { checkDrafts, explained } from "./check-drafts.ts";
import { uniqueSets } from "./check-unique.ts";
import { type DraftedRecord, draftRecords, type Saving } from "./draft-records.ts";
import { writeDrafts } from "./write-drafts.ts";

/** The id of the saved record, or why it was refused; undefined where it was left because another was refused. */
type Saved = Attempt<string> | undefined;

/** Gives the id of the saved record. */
export async function saveRecord(work: Work, saving: Saving, plan: SavePlan): Promise<string> {
  await lockForChange(work, saving.grant.type, (name) => plan.write.values.has(name));
  return saveOne(work, saving, plan);
}

async function saveOne(work: Work, saving: Saving, plan: SavePlan): Promise<string> {
  const saved = (await saveTogether(work, saving, [plan])).get(plan);
  if (!saved) throw new Error("one record is always saved or refused");
  if ("failure" in saved) throw saved.failure;
  return saved.value;
}

export interface ManySaves extends Saving {
  /** All or nothing: where one cannot be saved, the others need not be. */
  readonly atomic?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What became of each record, in their order. */
export async function saveRecords(
  work: Work,
  saving: ManySaves,
  rows: readonly SentRecord[],
): Promise<readonly Saved[]> {
  const { grant, operation, atomic = false, signal } = saving;
  const planned = await planEach(work, saving, rows);
  const plans = planned.flatMap((plan) => (plan instanceof Failure ? [] : [plan]));
  await lockForChange(work, grant.type, (name) => plans.some(({ write }) => write.values.has(name)));
  const isBatch = plans.length > 1 && canBatch(grant.type, hooksOf(work, grant.type), operation);
  const saved = new Map(isBatch ? await saveBatch(work, saving, plans, atomic) : []);
  for (const plan of plans) {
    if (saved.has(plan)) continue;
    if (signal?.aborted) throw new Interrupted();
    saved.set(plan, await attempt(work.transaction, () => saveOne(work, saving, plan)));
  }
  return planned.map((plan) => (plan instanceof Failure ? { failure: plan } : saved.get(plan)));
}

/**
 * What must be unique may be taken between looking and writing, and that a record has no room shows when it is written: then nothing of
 * the batch is written, and each is saved by itself.
 */
async function saveBatch(
  work: Work,
  saving: ManySaves,
  plans: readonly SavePlan[],
  atomic: boolean,
): Promise<ReadonlyMap<SavePlan, Saved>> {
  const tried = await attempt(work.transaction, () => saveTogether(work, saving, plans, atomic));
  return "value" in tried ? tried.value : new Map();
}

/** One value for all is read once: equal rows carry the same object. */
async function planEach(
  { snapshot }: Work,
  { grant }: Saving,
  rows: readonly SentRecord[],
): Promise<readonly (SavePlan | Failure)[]> {
  const read = new Map<Tree, SavePlan>();
  const planned: (SavePlan | Failure)[] = [];
  for (const row of rows) {
    await pause();
    try {
      const plan = read.get(row.sent) ?? planSave(snapshot, grant, row);
      read.set(row.sent, plan);
      planned.push({ id: row.id, write: plan.write, stage: plan.stage, sent: plan.sent });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      planned.push(error);
    }
  }
  return planned;
}

async function saveTogether(
  work: Work,
  saving: Saving,
  plans: readonly SavePlan[],
  atomic = false,
): Promise<ReadonlyMap<SavePlan, Saved>> {
  const saved = new Map<SavePlan, Saved>();
  const records: DraftedRecord[] = [];
  for (const [plan, one] of await draftRecords(work, saving, plans)) {
    if (one instanceof Failure) saved.set(plan, { failure: one });
    else records.push(one);
  }
  const refused = await checkDrafts(work, saving, records);
  for (const [{ plan }, failure] of refused) saved.set(plan, { failure });
  const sound = records.filter((record) => !refused.has(record));
  const isLeft = atomic && saved.size > 0;
  const ids = isLeft ? [] : await writeRecords(work, saving, sound);
  for (const [index, { plan }] of sound.entries()) {
    saved.set(plan, isLeft ? undefined : { value: ids[index] ?? "" });
  }
  return saved;
}

/** Records without faults: what their workflow makes along, they themselves, and who is told. Gives their ids. */
async function writeRecords(work: Work, saving: Saving, records: readonly DraftedRecord[]): Promise<readonly string[]> {
  if (records.length === 0) return [];
  const { type } = saving.grant;
  try {
    for (const { main, step } of records) if (step) await makeRecords(work, main, step, makersOf(work));
    // Of a stored record they go before its own row: what its access comes to depends on them.
    await logSteps(
      work,
      type,
      stepsOf(records, ({ main }) => main.id),
    );
    const { ids, unchanged } = await writeDrafts(work, type, records, saving.operation);
    for (const { main } of unchanged) saving.unchanged?.add(main.id ?? "");
    await logSteps(
      work,
      type,
      stepsOf(records, ({ main }, index) => (main.id === undefined ? ids[index] : undefined)),
    );
    const stepped = records.flatMap(({ main, step }, index) => (step ? [{ id: ids[index] ?? "", main, step }] : []));
    for (const { id, step } of stepped) await settleStep(work, type, id, step);
    if (stepped.length > 0) await notifyActors(work, type, stepped);
    await settle(work);
    const changed = records.filter((record) => record.main.isFollowed && !unchanged.has(record));
    await tellFollowers(work, type, changed.flatMap(changedRecord));
    // What must be unique may have been taken meanwhile: that is told in words, with the commit if nothing else comes before.
    if (saving.isLast) work.transaction.explain((error) => explained(error, records));
    else if (records.some(mayClash)) await work.transaction.settled();
    return ids;
  } catch (error) {
    throw explained(error, records) ?? error;
  }
}

const changedRecord = ({ main: { id, before, after } }: DraftedRecord): readonly ChangedRecord[] =>
  id !== undefined && before ? [{ id, before, after }] : [];

const mayClash = ({ main, children }: DraftedRecord): boolean =>
  [main, ...children].some(({ type }) => uniqueSets(type).length > 0);

const stepsOf = (
  records: readonly DraftedRecord[],
  idOf: (record: DraftedRecord, index: number) => string | undefined,
) =>
  records.flatMap((record, index) => {
    const id = idOf(record, index);
    return record.step && id !== undefined ? [{ id, step: record.step }] : [];
  });

/** What a transition makes goes through the same way. A record that is there is filled in with the caller's own rights. */
const makersOf = (work: Work): Makers => ({
  make: (type, values) => makeRecord(work, type, values),
  fill: (type, id, sent) => {
    const grant = grantWithinLimits(work.caller, type, "edit", work.hooks);
    // The workflow read these values: nobody sent them, and not everybody sees them.
    const plan = planSave(work.snapshot, grant, { id, sent, asSent: {} });
    return saveRecord(work, { grant, operation: "edit", overrideDuplicates: true }, plan);
  },
});

/** What the workflow makes is made in its name: its definition says which fields, not the caller's rights. */
function makeRecord(work: Work, type: RecordType, values: Readonly<Record<string, unknown>>): Promise<string> {
  const caller = elevate(work.caller, "workflow creates");
  const grant = grantWithinLimits(caller, type, "add", work.hooks);
  // Worked out by the workflow: texts, nulls, and the values of fields with parts, which are trees.
  const plan = planSave(work.snapshot, grant, { id: undefined, sent: values as Tree });
  const saving = { grant, operation: "add", overrideDuplicates: true, isMadeByWorkflow: true } as const;
  return saveRecord({ ...work, caller }, saving, plan);
}
