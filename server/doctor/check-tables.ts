// Looks at tables and indexes: what is missing or was left half built, what has grown by rows that are gone. Changes nothing.
import type { Queryable } from "../database/database.ts";
import { quote, sql } from "../database/sql.ts";
import { readTable } from "../metadata/catalog.ts";
import { indexText } from "../metadata/index-text.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { shapeTable } from "../metadata/table-shape.ts";
import { pendingWork } from "../metadata/table-work.ts";
import { error, type Finding, fine, orFine, warning } from "./finding.ts";

export async function checkIndexes(db: Queryable, snapshot: Snapshot): Promise<readonly Finding[]> {
  const missing: Finding[] = [];
  const work = await pendingWork(db);
  const isPending = (index: string) => work.some(({ name, failure }) => name === index && failure === null);
  for (const type of snapshot.types.values()) {
    const shape = shapeTable(type, snapshot);
    const there = await readTable(db, shape.table);
    for (const index of there ? shape.indexes : []) {
      if (there?.indexes.has(index.name) || isPending(index.name)) continue;
      const statement = indexText(shape.table, index, "concurrently");
      missing.push(warning("Indexes", `${index.name} is missing: lists of ${type.key} are slow. Run: ${statement}`));
    }
  }
  const half = await db.rows<{ name: string }>(sql`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisvalid and not exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid)`);
  const unasked = half.filter(({ name }) => !isPending(name));
  const failed = await db.rows<{ record_type: string; field: string; failure: string | null }>(sql`
    select record_type, field, failure from metadata__indexes where state = 'failed'`);
  return orFine(
    [
      ...missing,
      ...unasked.map(({ name }) =>
        warning("Indexes", `${name} was left half built and only costs. Run: drop index concurrently ${quote(name)}`),
      ),
      ...failed.map(({ record_type, field, failure }) =>
        warning(
          "Indexes",
          `The index of ${record_type} by ${field} could not be built (${failure ?? "unknown"}). Ask for it again, or remove it.`,
        ),
      ),
    ],
    fine("Indexes", "All are there and valid."),
  );
}

const inWords = { search: "the search text", index: "an index", reference: "a reference" } as const;

/** What is done on large tables while the service runs. */
export async function checkTableWork(db: Queryable): Promise<readonly Finding[]> {
  const work = await pendingWork(db);
  const failed = work.filter(({ failure }) => failure !== null);
  const found = failed.map(({ table, kind, name, failure }) =>
    warning(
      "Tables",
      `${table}: ${inWords[kind]} (${name}) could not be finished: ${failure}. Remove the cause and restart the service.`,
    ),
  );
  const running = work
    .filter(({ failure }) => failure === null)
    .map(({ table, kind, done, total }) => {
      const part = total > 0 ? ` (${Math.floor((100 * done) / total)}%)` : "";
      return fine("Tables", `${table}: ${inWords[kind]} is being built while the service runs${part}.`);
    });
  return orFine([...found, ...running], fine("Tables", "All are up to date."));
}

/** More dead rows than that, beside those that live, and a table is worth looking at. */
const MANY_DEAD = 100_000;
const DEAD_PART = 0.3;
const OLD_TRANSACTIONS = 1_000_000_000;

export async function checkBloat(db: Queryable): Promise<readonly Finding[]> {
  const rows = await db.rows<{ name: string; live: string; dead: string }>(sql`
    select relname as name, n_live_tup::text as live, n_dead_tup::text as dead from pg_stat_user_tables
    where n_dead_tup > ${MANY_DEAD}::bigint and n_dead_tup > ${DEAD_PART}::double precision * (n_live_tup + n_dead_tup)
    order by n_dead_tup desc limit 10`);
  const age = await db.row(
    sql`select age(datfrozenxid)::text as age from pg_database where datname = current_database()`,
  );
  const old = Number(age?.age) > OLD_TRANSACTIONS;
  return orFine(
    [
      ...rows.map(({ name, live, dead }) =>
        warning(
          "Bloat",
          `${name} has ${Number(dead).toLocaleString("en-US")} dead rows beside ${Number(live).toLocaleString("en-US")}. Run: vacuum (analyze) ${quote(name)}`,
        ),
      ),
      ...(old
        ? [
            error(
              "Bloat",
              "Old transactions were not frozen for long. Run: vacuum (freeze), and look why autovacuum does not.",
            ),
          ]
        : []),
    ],
    fine("Bloat", "No table has many dead rows."),
  );
}
