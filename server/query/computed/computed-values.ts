// The statements that keep computed fields: their values worked out from what is stored, written where they differ; and which records
// depend on which. The revision of a record and who changed it when stay as they are: nobody changed it.
import { ident, join, type Sql, sql, typeName } from "../../database/sql.ts";
import { fieldTypes } from "../../fields/index.ts";
import type { Computation } from "../../metadata/computed/computation.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { idTypeOf } from "../lock-rows.ts";
import { type ColumnOf, formulaSql, resultSql } from "./formula-sql.ts";

type Lookup = Extract<Computation, { kind: "lookup" }>;
type RollUp = Extract<Computation, { kind: "roll-up" }>;

const computationOf = (type: RecordType, name: string): Computation => {
  const found = type.computed.get(name);
  if (!found) throw new Error(`${type.key} does not compute ${name}`);
  return found;
};

const columnTypeOf = (type: RecordType, name: string): string => type.columns.get(name)?.[0]?.type ?? "text";

const kindOf = (type: RecordType, name: string) => {
  const field = type.field.get(name);
  const kind = field && fieldTypes[field.type].value;
  if (kind === undefined) throw new Error(`${type.key}.${name} has no value for formulas`);
  return kind;
};

/**
 * `column`: where a field of the same record is read; left out, as it is stored. `organization`: that of the row; on a distributed database
 * a value says where the rows are.
 */
function computedSql(
  snapshot: Snapshot,
  type: RecordType,
  name: string,
  alias: string,
  column: ColumnOf = (field) => ident(alias, field),
  organization: Sql = ident(alias, "organization_id"),
): Sql {
  const computation = computationOf(type, name);
  switch (computation.kind) {
    case "formula": {
      const value = formulaSql(computation.checked, column);
      return resultSql(kindOf(type, name), value, computation.shape, columnTypeOf(type, name));
    }
    case "lookup": {
      const last = computation.steps.length - 1;
      const value = ident(`${alias}_${last}`, computation.steps[last]?.field ?? "id");
      return sql`(select ${value} from ${chain(snapshot, computation, type, alias, organization)})::${typeName(columnTypeOf(type, name))}`;
    }
    case "roll-up":
      return rollUpSql(snapshot, type, name, computation, alias, organization);
  }
}

/**
 * A computed field of the row `alias` and all of the same record that it is worked out from, none of them as stored: one join per
 * layer, each of which reads those before. PostgreSQL must not put them into one another (`offset 0`): that doubles with every layer.
 */
export function freshlyComputed(
  snapshot: Snapshot,
  type: RecordType,
  name: string,
  alias: string,
  organizationId: string,
): { readonly joins: Sql; readonly value: Sql } {
  const organization = sql`${organizationId}::bigint`;
  const layers = new Map<number, Set<string>>();
  const need = (field: string): void => {
    const computation = type.computed.get(field);
    const layer = computation && (layers.get(computation.layer) ?? new Set());
    if (!layer || layer.has(field)) return;
    layers.set(computation.layer, layer.add(field));
    for (const one of computation.own) need(one);
  };
  need(name);
  const layerName = (layer: number): string => `${alias}_layer_${layer}`;
  const place = (field: string): Sql => {
    const layer = type.computed.get(field)?.layer;
    return ident(layer === undefined ? alias : layerName(layer), field);
  };
  const joins = [...layers]
    .sort(([a], [b]) => a - b)
    .map(([layer, fields]) => {
      const values = [...fields].map(
        (field) => sql`${computedSql(snapshot, type, field, alias, place, organization)} as ${ident(field)}`,
      );
      return sql` cross join lateral (select ${join(values)} offset 0) as ${ident(layerName(layer))}`;
    });
  return { joins: join(joins, ""), value: place(name) };
}

/** The records that a lookup goes through, `<alias>_0` and so on, from the row `alias`. */
function chain(snapshot: Snapshot, { steps }: Lookup, type: RecordType, alias: string, organization: Sql): Sql {
  const tables = steps.map((step, index) => {
    const target = requireType(snapshot, step.type);
    const [from, own] = [index === 0 ? alias : `${alias}_${index - 1}`, `${alias}_${index}`];
    return {
      table: sql`${ident(target.table)} as ${ident(own)}`,
      on: tie(type, target, from, own, step.via, organization),
    };
  });
  const [first, ...more] = tables;
  if (!first) throw new Error("a lookup goes through a reference");
  return sql`${first.table}${join(
    more.map(({ table, on }) => sql` join ${table} on ${on}`),
    "",
  )} where ${first.on}`;
}

/** What all share has no organization. */
const tie = (type: RecordType, target: RecordType, from: string, own: string, via: string, organization: Sql): Sql =>
  target.scope === "organization" && type.scope === "organization"
    ? sql`${ident(own, "organization_id")} = ${organization} and ${ident(own, "id")} = ${ident(from, via)}`
    : sql`${ident(own, "id")} = ${ident(from, via)}`;

function rollUpSql(
  snapshot: Snapshot,
  type: RecordType,
  name: string,
  rollUp: RollUp,
  alias: string,
  organization: Sql,
): Sql {
  const child = requireType(snapshot, rollUp.type);
  const own = `${alias}_child`;
  const value = rollUp.field === undefined ? undefined : ident(own, rollUp.field);
  const where = rollUp.where ? sql` and ${formulaSql(rollUp.where, (field) => ident(own, field))}` : sql``;
  const of = sql`from ${ident(child.table)} as ${ident(own)}
    where ${ident(own, "organization_id")} = ${organization} and ${ident(own, rollUp.via)} = ${ident(alias, "id")}
      and ${ident(own, "deleted")} = 0${where}`;
  const result = (aggregate: Sql): Sql =>
    sql`(select ${resultSql(kindOf(type, name), sql`whole.value`, rollUp.shape, columnTypeOf(type, name))}
      from (select ${aggregate} as value ${of}) as whole)`;
  switch (rollUp.function) {
    case "count":
      return result(value ? sql`count(${value})::numeric` : sql`count(*)::numeric`);
    case "sum":
      return result(sql`coalesce(sum(${value ?? sql`0`}), 0)::numeric`);
    case "average":
      // As a formula divides.
      return result(
        sql`div(sum(${value ?? sql`0`})::numeric * 1000000000000, nullif(count(${value ?? sql`0`}), 0)) * 0.000000000001`,
      );
    case "min":
    case "max": {
      const best = rollUp.function === "min" ? sql`min(${value ?? sql`0`})` : sql`max(${value ?? sql`0`})`;
      return result(kindOf(type, name) === "number" ? sql`${best}::numeric` : best);
    }
  }
}

export interface Rows {
  readonly organizationId: string;
  readonly ids: readonly string[];
}

const among = (type: RecordType, alias: string, { organizationId, ids }: Rows): Sql =>
  sql`${ident(alias, "organization_id")} = ${organizationId}::bigint and ${ident(alias, "id")} = any(${ids}::${idTypeOf(type)}[])`;

/** Always in the order of their ids. Nobody who only refers to them waits. */
export const lockComputed = (type: RecordType, rows: Rows): Sql => sql`
  select r.id::text from ${ident(type.table)} r where ${among(type, "r", rows)} order by r.id for no key update of r`;

/**
 * Locks the records that a lookup of these rows goes through until they are read and written: whoever changes one of them meanwhile
 * would not find these rows yet. Those that may be written along are locked for that at once.
 */
export function lockLookedUp(snapshot: Snapshot, type: RecordType, name: string, rows: Rows): readonly Sql[] {
  const computation = computationOf(type, name);
  if (computation.kind !== "lookup") return [];
  return computation.steps.flatMap((step, index) => {
    const target = requireType(snapshot, step.type);
    if (target.scope === "shared") return [];
    const path = { ...computation, steps: computation.steps.slice(0, index + 1) };
    const ids = sql`select ${ident(`r_${index}`, "id")} from ${ident(type.table)} r, lateral (
      select ${ident(`r_${index}`, "id")} from ${chain(snapshot, path, type, "r", sql`${rows.organizationId}::bigint`)}) as ${ident(`r_${index}`)} where ${among(type, "r", rows)}`;
    const strength = target.computed.size > 0 ? sql`no key update` : sql`share`;
    return [
      sql`select 1 from ${ident(target.table)} t where t.organization_id = ${rows.organizationId}::bigint and t.id in (${ids})
        order by t.id for ${strength} of t`,
    ];
  });
}

/** Writes what differs. Gives of each row that did: id, acl_id, deleted, then for each field 1 where it changed. */
export function recompute(snapshot: Snapshot, type: RecordType, fields: readonly string[], rows: Rows): Sql {
  const organization = sql`${rows.organizationId}::bigint`;
  const was = (index: number): Sql => ident(`was_${index}`);
  const columns = fields.map((name, index) => {
    const value = computedSql(snapshot, type, name, "s", undefined, organization);
    return sql`s.${ident(name)} as ${was(index)}, ${value} as ${ident(name)}`;
  });
  // Texts of two collations are not compared without saying by which.
  const exact = (name: string): Sql => (columnTypeOf(type, name) === "text" ? sql` collate "C"` : sql``);
  const differs = fields.map(
    (name, index) => sql`v.${was(index)}${exact(name)} is distinct from v.${ident(name)}${exact(name)}`,
  );
  const flags = fields.map(
    (name, index) => sql`(${differs[index] ?? sql`false`})::integer::text as ${ident(`is_${name}`)}`,
  );
  const sets = fields.map((name) => sql`${ident(name)} = n.${ident(name)}`);
  // Worked out once (`offset 0`), in a subquery with a table of its own: Citus takes no other.
  return sql`
    update ${ident(type.table)} r set ${join(sets)} from (
      select v.id, ${join(fields.map((name) => sql`v.${ident(name)}`))}, ${join(flags)}
      from (select s.id, ${join(columns)} from ${ident(type.table)} s where ${among(type, "s", rows)} offset 0) as v
      where ${join(differs, " or ")}) as n
    where ${among(type, "r", rows)} and r.id = n.id
    returning r.id::text, r.acl_id::text, r.deleted::text, ${join(fields.map((name) => sql`n.${ident(`is_${name}`)}`))}`;
}

/** The rows whose lookup goes through these records of its step number `index`, in order, past `after`. */
export function lookingUp(
  snapshot: Snapshot,
  type: RecordType,
  name: string,
  index: number,
  { organizationId, ids }: Rows,
  { after, most }: { readonly after: string | null; readonly most: number },
): Sql {
  const computation = computationOf(type, name);
  if (computation.kind !== "lookup") throw new Error(`${type.key}.${name} is no lookup`);
  const path = { ...computation, steps: computation.steps.slice(0, index + 1) };
  const target = requireType(snapshot, computation.steps[index]?.type ?? "");
  const past = after === null ? sql`` : sql` and r.id > ${after}::${idTypeOf(type)}`;
  return sql`
    select r.id::text from ${ident(type.table)} r
    where r.organization_id = ${organizationId}::bigint${past} and exists (
      select from ${chain(snapshot, path, type, "r", sql`${organizationId}::bigint`)} and ${ident(`r_${index}`, "id")} = any(${ids}::${idTypeOf(target)}[]))
    order by r.id limit ${most}`;
}

/** What may be read to roll up: of one record, and in all. */
export interface RollUpBounds {
  readonly most: number;
  readonly mostInAll: number;
}

/** The records that these rows are rolled up into; with 1 for those that are past the bounds. Reads no more than the bounds itself. */
export function rolledUpInto(
  snapshot: Snapshot,
  rollUp: RollUp,
  parent: RecordType,
  rows: Rows,
  former: readonly string[],
  { most, mostInAll }: RollUpBounds,
): Sql {
  const child = requireType(snapshot, rollUp.type);
  const via = ident(rollUp.via);
  return sql`
    with parents as materialized (
      select c.${via} as id from ${ident(child.table)} c where ${among(child, "c", rows)} and c.${via} is not null
      union select unnest(${former}::${idTypeOf(parent)}[])
    ), scanned as materialized (
      select p.id, m.one from (select id from parents order by id) as p left join lateral (
        select 1 as one from ${ident(child.table)} m
        where m.organization_id = ${rows.organizationId}::bigint and m.${via} = p.id limit ${most + 1}) as m on true
      limit ${mostInAll + 1}
    ), counted as (
      -- Where there are more, the last of them was not read to its end.
      select id, count(one) as rolled, sum(count(*)) over () as total, row_number() over (order by id desc) as from_last
      from scanned group by id
    )
    select p.id::text,
      (c.id is null or c.rolled > ${most} or (c.total > ${mostInAll} and c.from_last = 1))::integer::text
    from parents p left join counted c on c.id = p.id order by p.id`;
}

/** Rows of an organization in order, past `after`. */
export const rowsAfter = (type: RecordType, organizationId: string, after: string | null, most: number): Sql => sql`
  select r.id::text from ${ident(type.table)} r where r.organization_id = ${organizationId}::bigint${
    after === null ? sql`` : sql` and r.id > ${after}::${idTypeOf(type)}`
  } order by r.id limit ${most}`;

/** The references of rows that are about to go. */
export const referencesOf = (type: RecordType, vias: readonly string[], rows: Rows): Sql =>
  sql`select ${join(vias.map((via) => sql`r.${ident(via)}::text`))} from ${ident(type.table)} r where ${among(type, "r", rows)}`;
