// Takes drafts; finds unique values that another live record already has. A value saved by someone else between this check
// and the write violates the index and gets the same message.
import { type Message, say } from "../../../contract/messages.ts";
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { wall } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { isConstraint, violated } from "../../database/errors.ts";
import { and, expression, ident, join, quote, sql, typeName } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { identifier } from "../../metadata/table-shape.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { fieldRow, isUnset } from "../read/record-row.ts";
import { type Draft, isChangedField } from "./draft.ts";

interface Uniqueness {
  readonly draft: Draft;
  readonly names: readonly string[];
}

const setsOf = new WeakMap<RecordType, readonly (readonly string[])[]>();

export function uniqueSets(type: RecordType): readonly (readonly string[])[] {
  const known = setsOf.get(type);
  if (known) return known;
  const single = type.fields.filter((field) => field.unique).map((field) => [field.name]);
  const sets = [...type.unique, ...single];
  setsOf.set(type, sets);
  return sets;
}

/** Adds "… is taken" to the errors of the drafts; gives how many it added to each. */
export async function checkUnique(
  transaction: Queryable,
  caller: Caller,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<Draft, number>> {
  const added = new Map<Draft, number>();
  const asked = drafts.flatMap(askedOf);
  if (asked.length === 0) return added;
  const found =
    asked.length > FEW
      ? await takenAmongMany(transaction, caller, asked)
      : await takenAmong(transaction, caller, asked);
  for (const index of found) {
    const taken = asked[index];
    if (!taken) continue;
    addTaken(taken.draft, taken.names, caller);
    added.set(taken.draft, (added.get(taken.draft) ?? 0) + 1);
  }
  return added;
}

/** Up to here each is asked for by itself, in a statement that is prepared once. */
const FEW = 10;

/** Which of them another record has, by their positions. */
async function takenAmong(
  transaction: Queryable,
  caller: Caller,
  asked: readonly Uniqueness[],
): Promise<readonly number[]> {
  const found = await transaction.prepared(
    join(
      asked.map(({ draft, names }, index) => {
        const { type, after, id } = draft;
        const equal = names
          .flatMap((name) => type.columns.get(name) ?? [])
          .map((column) => sql`r.${ident(column.name)} = ${after[column.name] ?? null}::${typeName(column.type)}`);
        const others = id === undefined ? sql`true` : sql`r.id <> ${id}::${idTypeOf(type)}`;
        return sql`(select ${expression(`'${index}'::text`)} from ${expression(quote(type.table))} r
          where ${wall(caller, type, "r")} and r.deleted = 0 and ${others} and ${and(equal)} limit 1)`;
      }),
      " union all ",
    ),
  );
  return found.map(([index]) => Number(index));
}

/** As `takenAmong`, with one statement for all values of the same fields. */
async function takenAmongMany(
  transaction: Queryable,
  caller: Caller,
  asked: readonly Uniqueness[],
): Promise<readonly number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, { draft, names }] of asked.entries()) {
    const group = `${draft.type.key} ${names.join()}`;
    groups.set(group, [...(groups.get(group) ?? []), index]);
  }
  const taken: number[] = [];
  for (const indexes of groups.values()) {
    const first = asked[indexes[0] ?? 0];
    if (!first) continue;
    const { type } = first.draft;
    const columns = first.names.flatMap((name) => type.columns.get(name) ?? []);
    const drafts = indexes.flatMap((index) => asked[index]?.draft ?? []);
    const given = columns.map(
      ({ name, type: of }) => sql`${drafts.map(({ after }) => after[name] ?? null)}::text[]::${typeName(of)}[]`,
    );
    const ids = sql`${drafts.map(({ id }) => id ?? null)}::text[]::${idTypeOf(type)}[]`;
    const names = columns.map((_, position) => ident(`k${position}`));
    const equal = columns.map(({ name }, position) => sql`r.${ident(name)} = g.${ident(`k${position}`)}`);
    const { rows } = await transaction.run(sql`
      select distinct g.n::text from unnest(${join([...given, ids])}) with ordinality as g(${join([...names, ident("own"), ident("n")])})
      join ${ident(type.table)} r on ${and(equal)}
      where ${wall(caller, type, "r")} and r.deleted = 0 and r.id is distinct from g.own`);
    for (const [number] of rows) taken.push(indexes[Number(number) - 1] ?? -1);
  }
  return taken;
}

function askedOf(draft: Draft): Uniqueness[] {
  if (draft.operation === "delete") return [];
  const isChanged = (name: string): boolean => {
    const field = draft.type.field.get(name);
    return field !== undefined && isChangedField(draft, field);
  };
  return uniqueSets(draft.type)
    .filter((names) => names.some(isChanged))
    .filter((names) => names.every((name) => isFilled(draft, name)))
    .map((names) => ({ draft, names }));
}

function isFilled({ type, after, errors, plan }: Draft, name: string): boolean {
  const field = type.field.get(name);
  return field !== undefined && !isUnset(fieldRow(type, field, after)) && errors[`${plan.path}.${name}`] === undefined;
}

/** Fields that are hidden from the caller are part of the combination all the same; they are not named. */
function addTaken({ type, plan, errors }: Draft, names: readonly string[], caller: Caller): void {
  const { visible } = fieldMask(type, caller);
  const seen = names.filter((name) => visible.has(name));
  const labels = seen.map((name) => type.field.get(name)?.label ?? name);
  const last = seen.at(-1);
  // The last field of a combination is the one that tells the rows apart.
  const key = last === undefined ? plan.path : `${plan.path}.${last}`;
  errors[key] = [...(errors[key] ?? []), takenBy(labels, names.length)];
}

function takenBy(labels: readonly string[], fields: number): Message {
  const [first = ""] = labels;
  if (labels.length < fields) return say("taken_unseen");
  return fields === 1 ? say("taken", { field: first }) : say("taken_together", { fields: labels });
}

/** The draft whose unique values the database refused; undefined when the error is of another kind. */
export function explainViolation(error: unknown, drafts: readonly Draft[], caller: Caller): Draft | undefined {
  const constraint = violated(error, "23505");
  if (constraint === undefined) return undefined;
  for (const draft of drafts) {
    const names = uniqueSets(draft.type).find((set) =>
      isConstraint(constraint, identifier(draft.type.table, ...set, "unique")),
    );
    if (!names || draft.operation === "delete") continue;
    addTaken(draft, names, caller);
    return draft;
  }
  return undefined;
}
