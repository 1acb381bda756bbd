// Takes plans of new rows; gives what each starts with where fields take over values of records that it names: as those are stored, or, of
// the record that the row belongs to, as it is being saved. What the caller may not read stays empty.
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { mayRead } from "../../access/visibility.ts";
import { ident, join, sql } from "../../database/sql.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import type { WritePlan } from "../../plan/plan-write.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import type { Work } from "../hooks.ts";
import { putField, rowOf, wireField } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";

/** What a row belongs to that is saved along with it. */
interface Parent {
  readonly via: string;
  readonly type: RecordType;
  readonly row: ColumnValues;
}

interface Starting {
  readonly row: ColumnValues;
  /** References that were sent: whether they may be is judged later. */
  readonly sent: ReadonlyMap<string, string | null>;
  /** Fields that have not got their value yet. */
  readonly open: Set<string>;
}

/** A value taken over may be a reference that others take over from. */
const MOST_ROUNDS = 4;

type NewRow = Pick<WritePlan, "values" | "id">;

/** `kept`: fields that start with what `initial` says, whatever their type says. */
export async function takenOver<Plan extends NewRow>(
  work: Work,
  type: RecordType,
  plans: readonly Plan[],
  initial: ColumnValues,
  { kept, parent }: { readonly kept?: { has(name: string): boolean }; readonly parent?: Parent | undefined } = {},
): Promise<(plan: Plan) => ColumnValues> {
  if (type.startsFrom.size === 0) return () => initial;
  // Rows that name the same records start alike, and are copies of one.
  const starts = new Map<string, Starting>();
  const byPlan = new Map<Plan, Starting>();
  const vias = [...new Set([...type.startsFrom.values()].map(({ via }) => via))];
  for (const plan of plans) {
    if (plan.id !== undefined) continue;
    const open = [...type.startsFrom.keys()].filter((name) => !plan.values.has(name) && !kept?.has(name));
    const sent = vias
      .filter((via) => plan.values.has(via))
      .map((via) => [via, plan.values.get(via)?.[0] ?? null] as const);
    const key = JSON.stringify([open, sent]);
    const known = starts.get(key) ?? { row: { ...initial }, sent: new Map(sent), open: new Set(open) };
    starts.set(key, known);
    byPlan.set(plan, known);
  }
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (!(await takeOnce(work, type, [...starts.values()], parent))) break;
  }
  return (plan) => byPlan.get(plan)?.row ?? initial;
}

const idIn = ({ row, sent }: Starting, via: string): string | null =>
  (sent.has(via) ? sent.get(via) : row[via]) ?? null;

/** Whether any row got a value. */
async function takeOnce(work: Work, type: RecordType, rows: readonly Starting[], parent: Parent | undefined) {
  const { snapshot, caller } = work;
  const named = new Map<string, Set<string>>();
  for (const starting of rows) {
    for (const [name, { via, target }] of type.startsFrom) {
      const id = starting.open.has(name) && via !== parent?.via ? idIn(starting, via) : null;
      if (id !== null) named.set(target, (named.get(target) ?? new Set()).add(id));
    }
  }
  const found = new Map<string, ReadonlyMap<string, ColumnValues>>();
  for (const [key, ids] of named) found.set(key, await readNamed(work, type, requireType(snapshot, key), [...ids]));
  let hasTaken = false;
  for (const starting of rows) {
    const { row, open } = starting;
    for (const [name, { via, target, field: source }] of type.startsFrom) {
      if (!open.has(name)) continue;
      const from = via === parent?.via ? parent.row : found.get(target)?.get(idIn(starting, via) ?? "");
      if (!from) continue;
      open.delete(name);
      if (put(type, name, requireType(snapshot, target), source, from, row, caller)) hasTaken = true;
    }
  }
  return hasTaken;
}

function put(
  type: RecordType,
  name: string,
  target: RecordType,
  source: string,
  from: ColumnValues,
  row: ColumnValues,
  caller: Caller,
): boolean {
  const [field, theirs] = [type.field.get(name), target.field.get(source)];
  if (!field || !theirs || !fieldMask(target, caller).visible.has(source)) return false;
  const value = wireField(target, theirs, from);
  if (value === null || value === undefined) return false;
  const parsed = typeOf(field).parse(value, field, caller);
  if (!parsed.ok) return false;
  putField(type, field, parsed.row, row);
  return true;
}

/** Those that the caller may read, by id. */
async function readNamed(
  { transaction, caller }: Work,
  type: RecordType,
  target: RecordType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ColumnValues>> {
  const sources = new Set(
    [...type.startsFrom.values()].flatMap((one) => (one.target === target.key ? [one.field] : [])),
  );
  const columns = [...sources].flatMap((name) => (target.columns.get(name) ?? []).map((column) => column.name));
  const texts = columns.map((name) => sql`${ident("r", name)}::text`);
  const rows = await transaction.prepared(sql`
    select r.id::text, ${join(texts)} from ${ident(target.table)} r
    where r.id = any(${ids}::${idTypeOf(target)}[]) and r.deleted = 0 and ${mayRead(caller, target, "r", "few")}`);
  return new Map(rows.map(([id, ...values]) => [id ?? "", rowOf(columns, values)]));
}
