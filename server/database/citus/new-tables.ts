// What migrations and table sync do on a database that is distributed: says so to Citus before tables change, and gives new tables
// their place. Elsewhere it does nothing. Call within a transaction.
import type { Queryable } from "../database.ts";
import { quote } from "../sql.ts";
import { ANCHOR, readDistributed } from "./distributed.ts";
import { planDistribution, readTables } from "./plan.ts";
import { splitStatements } from "./split-statements.ts";

export type Placement = "organization" | "shared";

export interface TablePlaces {
  /** A table that was just made, before anything refers to it. */
  place(table: string, placement: Placement): Promise<void>;
  /** Every new table that says by its columns where it belongs. */
  placeAll(): Promise<void>;
  migrate(migration: { readonly text: string; readonly distributed?: string | undefined }): Promise<void>;
}

/** One connection to each machine, so that rows and tables may change in the same transaction; triggers of ours go along. */
export const prepareForTables =
  "set local citus.multi_shard_modify_mode to 'sequential'; set local citus.enable_unsafe_triggers to on";

export async function openTablePlaces(transaction: Queryable): Promise<TablePlaces> {
  if (!(await readDistributed(transaction)))
    return {
      place: async () => undefined,
      placeAll: async () => undefined,
      migrate: ({ text }) => transaction.script(text),
    };
  await transaction.script(prepareForTables);
  const place = (table: string, placement: Placement) => transaction.script(placeText(table, placement));
  return {
    place,
    placeAll: async () => {
      const tables = (await readTables(transaction, true)).filter(({ isPlaced }) => !isPlaced);
      const { distributed, reference, unknown } = planDistribution(tables, new Set());
      if (unknown.length > 0) throw new Error(`nobody has said where these tables belong: ${unknown.join(", ")}`);
      for (const table of reference) await place(table, "shared");
      for (const table of distributed) await place(table, "organization");
    },
    // One by one: what changes a table is sent to the workers with all that is said along with it, and they take one statement.
    migrate: async ({ text, distributed = text }) => {
      for (const statement of splitStatements(distributed)) await transaction.script(statement);
    },
  };
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const placeText = (table: string, placement: Placement): string =>
  placement === "shared"
    ? `select create_reference_table(${literal(quote(table))})`
    : `select create_distributed_table(${literal(quote(table))}, 'organization_id', colocate_with := '${ANCHOR}')`;
