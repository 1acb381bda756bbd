// Takes a database; gives every way in which its tables could not be spread by organization, as PostgreSQL's own catalog
// tells it. Knows nothing of how the tables came about.
import type { Queryable } from "../../server/database/database.ts";
import { ident, sql } from "../../server/database/sql.ts";

interface Table {
  readonly name: string;
  readonly columns: ReadonlyMap<string, { readonly required: boolean }>;
  /** Primary key, unique constraints and indexes, plain indexes; columns or expressions in order. */
  readonly indexes: readonly { readonly name: string; readonly primary: boolean; readonly first: string | null }[];
  readonly foreignKeys: readonly {
    readonly name: string;
    readonly first: string | null;
    readonly target: string | null;
    readonly targetFirst: string | null;
  }[];
}

export interface Allowed {
  /** Tables of the service as a whole. */
  readonly global: readonly string[];
  /** Tables of shared record types. */
  readonly shared: readonly string[];
}

async function readTables(db: Queryable): Promise<Table[]> {
  const tables = await db.rows<{ name: string }>(sql`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`);
  const columns = await db.rows(sql`
    select c.relname as table_name, a.attname as name, a.attnotnull::integer as required
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped`);
  const indexes = await db.rows(sql`
    select t.relname as table_name, c.relname as name, i.indisprimary::integer as is_primary, a.attname as first
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_class t on t.oid = i.indrelid and t.relnamespace = 'public'::regnamespace
    left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0] and i.indkey[0] > 0`);
  const keys = await db.rows(sql`
    select t.relname as table_name, k.conname as name, a.attname as first, f.relname as target, fa.attname as target_first
    from pg_constraint k
    join pg_class t on t.oid = k.conrelid and t.relnamespace = 'public'::regnamespace
    join pg_class f on f.oid = k.confrelid
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    join pg_attribute fa on fa.attrelid = k.confrelid and fa.attnum = k.confkey[1]
    where k.contype = 'f'`);
  const of = <Row extends { table_name?: string | null }>(rows: readonly Row[], name: string) =>
    rows.filter((row) => row.table_name === name);
  return tables.map(({ name }) => ({
    name,
    columns: new Map(of(columns, name).map((row) => [row.name ?? "", { required: row.required === "1" }])),
    indexes: of(indexes, name).map((row) => ({
      name: row.name ?? "",
      primary: row.is_primary === "1",
      first: row.first ?? null,
    })),
    foreignKeys: of(keys, name).map((row) => ({
      name: row.name ?? "",
      first: row.first ?? null,
      target: row.target ?? null,
      targetFirst: row.target_first ?? null,
    })),
  }));
}

const OWNER = "organization_id";
/** What PostgreSQL's own extensions and the service's ledger are called. */
const nameOk = (name: string, global: readonly string[]): boolean =>
  /^[a-z][a-z0-9_]*?__[a-z][a-z0-9_]*$/.test(name) || global.includes(name);

function faultsOfSpread(table: Table): string[] {
  const faults: string[] = [];
  const owner = table.columns.get(OWNER);
  if (!owner) faults.push(`${table.name} has no ${OWNER}`);
  else if (!owner.required) faults.push(`${table.name}.${OWNER} may be null`);
  if (!table.indexes.some((index) => index.primary)) faults.push(`${table.name} has no primary key`);
  for (const index of table.indexes) {
    if (index.first !== OWNER) faults.push(`the index ${index.name} of ${table.name} does not begin with ${OWNER}`);
  }
  for (const key of table.foreignKeys) {
    if (key.first !== OWNER || key.targetFirst !== OWNER) {
      faults.push(`the foreign key ${key.name} of ${table.name} does not begin with ${OWNER}`);
    }
  }
  return faults;
}

/** What belongs to nobody must not hold what belongs to somebody. */
async function faultsOfShared(db: Queryable, table: Table): Promise<string[]> {
  const faults: string[] = [];
  for (const name of [OWNER, "owned_by", "created_by", "acl_id"]) {
    if (!table.columns.has(name)) continue;
    const filled = await db.row(
      sql`select count(*)::text as rows from ${ident(table.name)} where ${ident(name)} is not null`,
    );
    faults.push(`the shared table ${table.name} has the column ${name} (${filled?.rows} rows filled)`);
  }
  for (const key of table.foreignKeys) {
    if (key.first === OWNER || key.targetFirst === OWNER) {
      faults.push(`the foreign key ${key.name} of ${table.name} leads into an organization's table`);
    }
  }
  return faults;
}

export async function spreadFaults(db: Queryable, allowed: Allowed): Promise<string[]> {
  const tables = await readTables(db);
  const faults: string[] = [];
  for (const table of tables) {
    if (!nameOk(table.name, allowed.global)) faults.push(`${table.name} is not named <module>__<controller>`);
    if (allowed.shared.includes(table.name)) faults.push(...(await faultsOfShared(db, table)));
    else if (!allowed.global.includes(table.name)) faults.push(...faultsOfSpread(table));
  }
  const known = new Set(tables.map((table) => table.name));
  for (const name of [...allowed.global, ...allowed.shared]) {
    if (!known.has(name)) faults.push(`${name} is listed and does not exist`);
  }
  return faults;
}
