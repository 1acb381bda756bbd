// Takes plans of new rows; gives what each starts with where fields take over values of records that it names: as those are stored, or, of
// the record that the row belongs to, as it is being saved. What the person may not read or look at stays empty, whoever saves.
import { evaluateFormula } from "../../../contract/formula/evaluate-formula.ts";
import { actorOf } from "../../access/caller.ts";
import { mayLookAt, mayTakeOver } from "../../access/matrix.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, join, sql } from "../../database/sql.ts";
import type { Field, RowValue } from "../../fields/field-type.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { OWN } from "../../metadata/rules/record-choices.ts";
import { MOST_ROUNDS, needsOf } from "../../metadata/rules/starts-from.ts";
import { requireType } from "../../metadata/snapshot.ts";
import type { WritePlan } from "../../plan/plan-write.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import type { Work } from "../hooks.ts";
import { putField, rowOf, wireField } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { momentsOf } from "./check-choices.ts";

/** What a row belongs to that is saved along with it. */
interface Parent {
  readonly via: string;
  readonly type: RecordType;
  readonly row: ColumnValues;
}

interface Starting {
  readonly row: ColumnValues;
  /** Fields that took a value over. */
  readonly taken: Set<string>;
  /** What was sent of the fields that others depend on: whether it may be is judged later. */
  readonly sent: ReadonlyMap<string, string | null>;
  /** Fields whose value is not settled yet. */
  readonly open: Set<string>;
}

type NewRow = Pick<WritePlan, "values" | "id">;

/** What it takes to read the records that are named. */
interface Reading extends Pick<Work, "snapshot" | "caller"> {
  readonly transaction: Pick<Queryable, "prepared">;
}

/** What a new row starts with. */
interface Start {
  readonly row: ColumnValues;
  readonly taken: ReadonlySet<string>;
}

interface StartOptions {
  /** Fields that start with what `initial` says, whatever their type says. */
  readonly kept?: { has(name: string): boolean };
  readonly parent?: Parent | undefined;
  /** Whose the rows will be, where that is settled: it counts whatever was sent. */
  readonly owner?: string | null;
}

export async function takenOver<Plan extends NewRow>(
  work: Reading,
  type: RecordType,
  plans: readonly Plan[],
  initial: ColumnValues,
  options: StartOptions = {},
): Promise<(plan: Plan) => ColumnValues> {
  const startOf = await startsOf(work, type, plans, initial, options);
  return (plan) => startOf(plan).row;
}

/** The same, with which fields took a value over. */
export async function startsOf<Plan extends NewRow>(
  work: Reading,
  type: RecordType,
  plans: readonly Plan[],
  initial: ColumnValues,
  { kept, parent, owner }: StartOptions = {},
): Promise<(plan: Plan) => Start> {
  const untouched: Start = { row: initial, taken: new Set() };
  if (type.startsFrom.size === 0) return () => untouched;
  // Rows that name the same records start alike, and are copies of one.
  const starts = new Map<string, Starting>();
  const byPlan = new Map<Plan, Starting>();
  const needed = [...new Set([...type.startsFrom.keys()].flatMap((name) => needsOf(type, name)))];
  for (const plan of plans) {
    if (plan.id !== undefined) continue;
    const open = [...type.startsFrom.keys()].filter((name) => !plan.values.has(name) && !kept?.has(name));
    const sent = needed
      .filter((name) => plan.values.has(name))
      .map((name): [string, string | null] => [name, plan.values.get(name)?.[0] ?? null]);
    if (owner !== undefined) sent.push(["owned_by", owner]);
    const key = JSON.stringify([open, sent]);
    const known = starts.get(key) ?? {
      ...{ row: { ...initial }, taken: new Set() },
      ...{ sent: new Map(sent), open: new Set(open) },
    };
    starts.set(key, known);
    byPlan.set(plan, known);
  }
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (!(await settleOnce(work, type, [...starts.values()], parent))) break;
  }
  return (plan) => byPlan.get(plan) ?? untouched;
}

const valueIn = ({ row, sent }: Starting, name: string): string | null =>
  (sent.has(name) ? sent.get(name) : row[name]) ?? null;

interface Asked {
  readonly starting: Starting;
  readonly field: Field;
  readonly target: RecordType;
  readonly source: Field;
  /** The record around it, where that is what it names. */
  readonly around: ColumnValues | undefined;
  readonly id: string;
}

/** Settles the fields that wait for no other, with a value or without. Gives whether there were any. */
async function settleOnce(
  work: Reading,
  type: RecordType,
  rows: readonly Starting[],
  parent: Parent | undefined,
): Promise<boolean> {
  const person = actorOf(work.caller);
  const settling = rows.map((starting) => ({
    starting,
    names: [...starting.open].filter((name) => !needsOf(type, name).some((one) => starting.open.has(one))),
  }));
  const named = new Map<RecordType, Set<string>>();
  const asked: Asked[] = [];
  for (const { starting, names } of settling) {
    for (const name of names) {
      starting.open.delete(name);
      const [starts, field] = [type.startsFrom.get(name), type.field.get(name)];
      const target = starts && requireType(work.snapshot, starts.target);
      const source = target?.field.get(starts?.field ?? "");
      if (!starts || !field || !target || !source || !mayTakeOver(person, target, source.name)) continue;
      const around = starts.via === parent?.via ? parent.row : undefined;
      const id = around ? null : valueIn(starting, starts.via);
      if (id !== null) named.set(target, (named.get(target) ?? new Set()).add(id));
      asked.push({ starting, field, target, source, around, id: id ?? "" });
    }
  }
  const found = new Map<string, ReadonlyMap<string, ColumnValues>>();
  for (const [target, ids] of named) {
    const sources = [...type.startsFrom.values()].filter((one) => one.target === target.key);
    const columns = sources.flatMap((one) => (target.columns.get(one.field) ?? []).map(({ name }) => name));
    found.set(target.key, await readRows(work, target, [...ids], columns));
  }
  const offers: Offer[] = [];
  for (const { starting, field, target, source, around, id } of asked) {
    const from = around ?? found.get(target.key)?.get(id);
    const value = from ? wireField(target, source, from) : null;
    const parsed = value === null ? undefined : typeOf(field).parse(value, field, person);
    if (parsed?.ok) offers.push({ starting, field, values: parsed.row });
  }
  for (const { starting, field, values } of await soundOffers(work, type, offers)) {
    putField(type, field, values, starting.row);
    starting.taken.add(field.name);
  }
  return settling.some(({ names }) => names.length > 0);
}

/** What a row could take over. */
interface Offer {
  readonly starting: Starting;
  readonly field: Field;
  readonly values: readonly RowValue[];
}

/** A reference only where what it names is there for the person and can be chosen: what becomes of it says nothing of other records. */
async function soundOffers(work: Reading, type: RecordType, offers: readonly Offer[]): Promise<readonly Offer[]> {
  const person = actorOf(work.caller);
  const namedBy = new Map(offers.map((one) => [one, typeOf(one.field).references?.(one.values, one.field) ?? []]));
  const ids = new Map<string, Set<string>>();
  for (const { type: key, id } of [...namedBy.values()].flat()) ids.set(key, (ids.get(key) ?? new Set()).add(id));
  const limits = [...type.startsFrom.keys()].flatMap((name) => type.choices.get(name) ?? []);
  const found = new Map<string, ReadonlyMap<string, ColumnValues>>();
  for (const [key, some] of ids) {
    const columns = limits.flatMap(({ target, theirs }) => (target === key ? [...theirs] : []));
    found.set(key, await readRows(work, requireType(work.snapshot, key), [...some], columns));
  }
  const moments = momentsOf(person);
  return offers.filter((offer) => {
    const { starting, field, values } = offer;
    if (namedBy.get(offer)?.some(({ type: key, id }) => !found.get(key)?.has(id))) return false;
    const choices = type.choices.get(field.name);
    if (!choices) return true;
    const [id = null] = values;
    const row = found.get(choices.target)?.get(id ?? "");
    // Whether it can be chosen says something of its fields.
    if (!row || !mayLookAt(person, requireType(work.snapshot, choices.target))) return false;
    const own = (name: string): string | null => (name === field.name ? id : valueIn(starting, name));
    const read = (one: string) => (one.startsWith(OWN) ? own(one.slice(OWN.length)) : (moments[one] ?? row[one]));
    return evaluateFormula(choices.checked, read) === true;
  });
}

/** Those that the person may read, by id. */
async function readRows(
  { transaction, caller }: Reading,
  target: RecordType,
  ids: readonly string[],
  names: readonly string[],
): Promise<ReadonlyMap<string, ColumnValues>> {
  const columns = [...new Set(["id", ...names])];
  const texts = columns.map((name) => sql`${ident("r", name)}::text`);
  const rows = await transaction.prepared(sql`
    select ${join(texts)} from ${ident(target.table)} r
    where r.id = any(${ids}::${idTypeOf(target)}[]) and r.deleted = 0 and ${mayRead(actorOf(caller), target, "r", "few")}`);
  return new Map(rows.map((values) => [values[0] ?? "", rowOf(columns, values)]));
}
