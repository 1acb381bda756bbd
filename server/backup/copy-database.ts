// Takes a database that may be in use and an empty one; copies every table of ours as it was at one moment, with keys, indexes and triggers. Nothing
// but a piece of a table is held. Never writes into the first.
import type pg from "pg";
import { TABLE_SHAPE_LOCK } from "../database/locks.ts";
import { quote } from "../database/sql.ts";
import { readSchema } from "./catalog.ts";
import { openConnection } from "./connection.ts";
import { copyIn, copyOut } from "./copy.ts";
import { BackupStopped, databaseFault } from "./faults.ts";
import { type OnProgress, untilAborted } from "./progress.ts";
import { setSequences } from "./restore-backup.ts";

/** Rows by table. */
export type Copied = ReadonlyMap<string, number>;

export interface CopyOptions {
  readonly onProgress?: OnProgress;
  /** Ends it; what was copied by then is of no use. */
  readonly signal?: AbortSignal;
}

export async function copyDatabase(
  from: pg.ClientConfig,
  to: pg.ClientConfig,
  options: CopyOptions = {},
): Promise<Copied> {
  const onProgress = untilAborted(options);
  const source = await openConnection(from, "dossier upgrade");
  const target = await openConnection(to, "dossier upgrade");
  const drop = (): void => void Promise.all([source.drop(), target.drop()]);
  options.signal?.addEventListener("abort", drop);
  try {
    await source.client.query("select pg_advisory_lock_shared($1)", [TABLE_SHAPE_LOCK]);
    await source.client.query("begin isolation level repeatable read, read only");
    const schema = await readSchema(source.client);
    await target.client.query("begin; set local check_function_bodies = off; set local search_path = ''");
    for (const statement of schema.before) await target.client.query(statement);
    const rows = new Map<string, number>();
    for (const [done, { name, columns }] of schema.tables.entries()) {
      onProgress({ stage: "Copying the database", done, total: schema.tables.length, at: name });
      const place = `public.${quote(name)} (${columns.map(quote).join(", ")})`;
      const pieces = textOf(copyOut(source.client, `copy ${place} to stdout`));
      rows.set(name, await copyIn(target.client, `copy ${place} from stdin`, pieces));
    }
    // What follows is between the copy and itself: designs and vacuum need not wait for it.
    await source.drop();
    await setSequences(target.client, schema);
    for (const [done, statement] of schema.after.entries()) {
      onProgress({ stage: "Making indexes", done, total: schema.after.length });
      await target.client.query(statement);
    }
    await target.client.query("commit");
    onProgress({ stage: "Gathering statistics", done: 0, total: 0 });
    await target.client.query("analyze");
    return rows;
  } catch (error) {
    if (options.signal?.aborted) throw new BackupStopped();
    throw databaseFault(error, "The database could not be copied");
  } finally {
    options.signal?.removeEventListener("abort", drop);
    await Promise.all([source.drop(), target.drop()]);
  }
}

async function* textOf(pieces: AsyncIterable<{ readonly text: Buffer }>): AsyncGenerator<Buffer> {
  for await (const { text } of pieces) yield text;
}
