// Takes a connection of a command; refuses a database that a newer program has changed, and, where the command works on tables as this
// program knows them, one that is not up to date.
import type pg from "pg";
import { openConnection } from "../backup/connection.ts";
import { EMPTY, readApplied, requireCurrent, requireNotNewer } from "../database/applied-migrations.ts";
import { openDatabase } from "../database/database.ts";
import { readMigrations } from "../database/migrate.ts";

export async function requireKnownDatabase(
  connection: pg.ClientConfig,
  needs: "not newer" | "not empty" | "current",
): Promise<void> {
  // Says why it cannot be reached in the words of the network or of PostgreSQL.
  await (await openConnection(connection, "dossier command")).close();
  const db = openDatabase(connection, { connections: 1 });
  try {
    const [applied, migrations] = [await readApplied(db), await readMigrations()];
    if (needs === "not empty" && applied.prints.size === 0) throw new Error(EMPTY);
    (needs === "current" ? requireCurrent : requireNotNewer)(applied, migrations);
  } finally {
    await db.close();
  }
}
