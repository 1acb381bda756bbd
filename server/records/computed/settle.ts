// Updates computed fields after a transaction's changes, within that transaction: one dependent field after the other, locking
// each set of records in the order of their ids. Work that would take too long is left to the worker (worker.ts).
import { factFields, factIds, readRecordFacts } from "../../access/facts/record-facts.ts";
import { recordChanges } from "../../database/changes.ts";
import type { Queryable } from "../../database/database.ts";
import { eventOf } from "../../database/events/followed-types.ts";
import type { Computation } from "../../metadata/computed/computation.ts";
import { leaveComputing } from "../../metadata/computed/work.ts";
import type { RecordType, RecordTypeKey } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import {
  lockComputed,
  lockLookedUp,
  lookingUp,
  recompute,
  rolledUpInto,
} from "../../query/computed/computed-values.ts";
import { moveAcls } from "../save/record-acl.ts";
import { type Touched, takeTouched } from "./touched.ts";

export interface Settling {
  readonly transaction: Queryable;
  readonly snapshot: Snapshot;
  readonly organizationId: string;
  /** Of this type no record is told of by itself: all of them are filled. */
  readonly filling?: RecordTypeKey;
}

/** More records than this that look a value up are left to the worker. */
export const MOST_LOOKING_UP = 1_000;
/** Of a record with more of what it rolls up, and of all of them together: what is past them is left to the worker. */
const rollUpBounds = { most: 10_000, mostInAll: 20_000 } as const;
/** Records that are left together. */
const LEFT_TOGETHER = 20;
const BATCH = 1_000;

export async function settleComputed(settling: Settling): Promise<void> {
  const touched = takeTouched(settling.transaction);
  if (!touched) return;
  touched.tellWritten();
  const { snapshot } = settling;
  for (const { type: key, fields } of snapshot.computed) {
    const type = requireType(snapshot, key);
    const ids = new Set<string>();
    for (const name of fields) {
      const computation = type.computed.get(name);
      if (!computation) continue;
      for (const id of await dirty(settling, touched, type, name, computation)) ids.add(id);
    }
    const all = [...ids];
    for (let start = 0; start < all.length; start += BATCH) {
      await settleRows(settling, touched, type, fields, all.slice(start, start + BATCH));
    }
  }
}

/** The records of which a field may have another value now. */
async function dirty(
  settling: Settling,
  touched: Touched,
  type: RecordType,
  name: string,
  computation: Computation,
): Promise<readonly string[]> {
  const own = touched.idsOf(type.key, computation.own);
  const wanted = [...(touched.wanted.get(`${type.key} ${name}`) ?? [])];
  switch (computation.kind) {
    case "formula":
      return [...own, ...wanted];
    case "lookup":
      return [...own, ...wanted, ...(await thoseLookingUp(settling, touched, type, name, computation))];
    case "roll-up":
      return [...own, ...wanted, ...(await thoseRollingUp(settling, touched, type, name, computation))];
  }
}

async function thoseLookingUp(
  settling: Settling,
  touched: Touched,
  type: RecordType,
  name: string,
  { steps }: Extract<Computation, { kind: "lookup" }>,
): Promise<readonly string[]> {
  const { transaction, snapshot, organizationId } = settling;
  const found: string[] = [];
  for (const [index, step] of steps.entries()) {
    const ids = touched.idsOf(step.type, new Set([step.field]));
    if (ids.length === 0) continue;
    const source = { through: index, ids };
    if (requireType(snapshot, step.type).scope === "shared") {
      await leaveComputing(transaction, "everywhere", type.key, [name], source);
      continue;
    }
    const page = { after: null, most: MOST_LOOKING_UP + 1 };
    const { rows } = await transaction.run(lookingUp(snapshot, type, name, index, { organizationId, ids }, page));
    if (rows.length > MOST_LOOKING_UP) await leaveComputing(transaction, organizationId, type.key, [name], source);
    else found.push(...rows.flatMap(([id]) => id ?? []));
  }
  return found;
}

async function thoseRollingUp(
  settling: Settling,
  touched: Touched,
  type: RecordType,
  name: string,
  rollUp: Extract<Computation, { kind: "roll-up" }>,
): Promise<readonly string[]> {
  const { transaction, snapshot, organizationId } = settling;
  const ids = touched.idsOf(rollUp.type, rollUp.from);
  const former = [...(touched.former.get(`${rollUp.type} ${rollUp.via}`) ?? [])];
  if (ids.length + former.length === 0) return [];
  const rows = { organizationId, ids };
  const statement = rolledUpInto(snapshot, rollUp, type, rows, former, rollUpBounds);
  const parents = (await transaction.run(statement)).rows;
  const [now, later]: [string[], string[]] = [[], []];
  for (const [id, isMany] of parents) if (id != null) (isMany === "1" ? later : now).push(id);
  // Few of them one by one: who comes next with the same finds it left already.
  const together = later.length <= LEFT_TOGETHER ? 1 : LEFT_TOGETHER;
  for (let start = 0; start < later.length; start += together) {
    const left = { ids: later.slice(start, start + together) };
    await leaveComputing(transaction, organizationId, type.key, [name], left);
  }
  return now;
}

async function settleRows(
  settling: Settling,
  touched: Touched,
  type: RecordType,
  fields: readonly string[],
  ids: readonly string[],
): Promise<void> {
  const { transaction, snapshot, organizationId, filling } = settling;
  const rows = { organizationId, ids };
  // What is read in the next statement is what others have committed until these are ours.
  await transaction.run(lockComputed(type, rows));
  for (const name of fields) for (const lock of lockLookedUp(snapshot, type, name, rows)) await transaction.run(lock);
  const changed = await transaction.run(recompute(snapshot, type, fields, rows));
  const changes = changed.rows.map(([id, aclId, deleted, ...flags]) => {
    if (id != null) touched.add(type.key, id, new Set(fields.filter((_, index) => flags[index] === "1")));
    const isNews = deleted === "0" && type.key !== filling && id != null && touched.tell(type.key, id);
    return { aclId: aclId ?? "0", delta: 0, ...(isNews ? eventOf(type, id, "compute") : {}) };
  });
  await recordChanges(transaction, organizationId, type.key, changes);
  await followPolicy(settling, type, fields, changed.rows);
}

/** Who may read a record can depend on what was computed. */
async function followPolicy(
  { transaction, snapshot, organizationId, filling }: Settling,
  type: RecordType,
  fields: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const asked = factFields(type, factIds(await readRecordFacts(transaction, organizationId, true), type));
  const flags = fields.flatMap((name, index) => (asked.has(name) ? [3 + index] : []));
  const ids = rows.flatMap((row) => (row[0] != null && flags.some((at) => row[at] === "1") ? [row[0]] : []));
  await moveAcls({ transaction, snapshot, organizationId }, type, ids, type.key !== filling);
}
