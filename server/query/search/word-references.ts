// Takes the words of a search; gives one statement that finds which referenced records have them, as far as the caller may
// read these, and the plan with their ids in place of the names. What matches nobody is left out; what matches too many
// stays a condition of the page's own statement.
import { mayRead } from "../../access/visibility.ts";
import { and, expression, ident, join, type Sql, sql } from "../../database/sql.ts";
import { type VersionedTable, versionsOf } from "../../database/versions.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { ColumnRef } from "../../plan/column.ts";
import { type FilterPlan, type Operand, shapeOf } from "../../plan/filter-plan.ts";
import type { RowsPlan } from "../../plan/plan-rows.ts";
import { valuesOf } from "../../plan/plan-rows.ts";
import { valueTypeOf } from "../../plan/value.ts";
import { compileFilter, namedRecord } from "../filter.ts";
import { createJoins } from "../joins.ts";

/** Records that a word may stand for; each is looked up in an index of the reference. */
export const MOST_NAMED = 5_000;

/** A part of the search that goes through a reference of the record's own. */
interface Reference {
  readonly part: FilterPlan;
  readonly via: Operand;
  readonly target: RecordType;
  /** What must hold of the referenced record. */
  readonly of: FilterPlan;
}

export interface WordReferences {
  /** Versions, which lookup, an id of it. */
  readonly statement: Sql;
  /** `idsOf`: the ids that the lookup of that number found. */
  resolve(idsOf: (lookup: number) => readonly string[]): readonly FilterPlan[];
}

/** Undefined where no word goes through a reference. */
export function wordReferences(plan: RowsPlan, tables: readonly VersionedTable[]): WordReferences | undefined {
  const references = new Map<FilterPlan, Reference>();
  for (const shown of plan.shown) {
    for (const part of shown.kind === "or" ? shown.of : []) {
      const reference = referenceOf(plan.scope.type, part);
      if (reference) references.set(part, reference);
    }
  }
  if (references.size === 0) return undefined;
  const keyOf = ({ target, of }: Reference): string => JSON.stringify([target.key, shapeOf(of), valuesOf(of)]);
  // Owner, author and editor are looked up once.
  const lookups = [...new Map([...references.values()].map((one) => [keyOf(one), one])).values()];
  const numberOf = new Map(lookups.map((one, index) => [keyOf(one), index]));
  const found = lookups.map((one, index) => lookup(plan, one, index));
  return {
    statement: sql`select v.versions, f.lookup::text as lookup, f.id from (select ${versionsOf(tables)} as versions) v
      left join (${join(found, " union all ")}) f on true`,
    resolve: (idsOf) =>
      plan.shown.map((shown): FilterPlan => {
        if (shown.kind !== "or") return shown;
        const of = shown.of.flatMap((part): readonly FilterPlan[] => {
          const reference = references.get(part);
          if (!reference) return [part];
          const values = idsOf(numberOf.get(keyOf(reference)) ?? -1);
          if (values.length > MOST_NAMED) return [part.kind === "named" ? { ...part, isMany: true } : part];
          return values.length === 0 ? [] : [{ kind: "among", operand: reference.via, values, orNull: false }];
        });
        return { kind: "or", of };
      }),
  };
}

function lookup({ scope: { caller } }: RowsPlan, { target, of }: Reference, index: number): Sql {
  const alias = `n${index}`;
  const joins = createJoins({ alias, type: target }, caller);
  const condition = compileFilter(of, joins);
  return sql`(select ${expression(String(index))} as lookup, ${ident(alias, "id")}::text as id
    from ${ident(target.table)} as ${ident(alias)} ${joins.toSql()}
    where ${and([mayRead(caller, target, alias), condition])} limit ${expression(String(MOST_NAMED + 1))})`;
}

function referenceOf(root: RecordType, part: FilterPlan): Reference | undefined {
  const ref = columnOf(part);
  if (!ref) return undefined;
  const [first] = ref.steps;
  if (first) {
    const field = root.field.get(first.association.via);
    const of = field && withoutFirstStep(part);
    if (!field || !of) return undefined;
    const own: ColumnRef = { steps: [], type: root, field, name: `${root.alias}.${field.name}` };
    const { by, sqlType } = valueTypeOf(own);
    return by === "column"
      ? { part, via: { kind: "column", ref: own, by, sqlType }, target: first.type, of }
      : undefined;
  }
  if (part.kind !== "named") return undefined;
  return { part, via: part.operand, target: part.target, of: namedRecord(part) };
}

/** The column that a part of a search is about. */
function columnOf(part: FilterPlan): ColumnRef | undefined {
  if (part.kind === "or") return part.of[0] && columnOf(part.of[0]);
  return "operand" in part && part.operand.kind === "column" ? part.operand.ref : undefined;
}

/** The same condition, asked of the record that the first step leads to. */
function withoutFirstStep(part: FilterPlan): FilterPlan | undefined {
  if (part.kind === "or") {
    const of = part.of.map(withoutFirstStep);
    return of.every((one) => one !== undefined) ? { kind: "or", of } : undefined;
  }
  if (!("operand" in part) || part.operand.kind !== "column") return undefined;
  const { ref } = part.operand;
  return { ...part, operand: { ...part.operand, ref: { ...ref, steps: ref.steps.slice(1) } } };
}
