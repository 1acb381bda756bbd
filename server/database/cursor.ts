// Reads any number of rows in batches, all as they were at one moment, over a connection of its own: the next batch is
// read when it is asked for, and the connection ends when reading ends, however it ends. Rows stay the bytes they came
// as: a million rows leave no texts behind for the collector, and long ones make small batches.
import { createFairGate } from "../lib/turns/fair-gate.ts";
import { clientConfig, type Database } from "./database.ts";
import { translateError } from "./errors.ts";
import { openRawConnection, type RawConnection } from "./raw-connection.ts";
import { busy, currentScope } from "./scope.ts";
import { compile, type Sql } from "./sql.ts";
import type { TextRows } from "./text-rows.ts";

/** Each holds a connection, and a snapshot that keeps PostgreSQL from tidying up. */
const gate = createFairGate({ slots: 4, perName: 2, mostWaiting: 4, refuse: busy });

/** What PostgreSQL calls these connections. */
const EXPORT = "dossier export";

export async function* readInBatches(
  { connection: config, cancelBackend }: Database,
  statement: Sql,
): AsyncGenerator<TextRows, void, undefined> {
  const scope = currentScope();
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  await new Promise<void>((resolve, reject) => {
    const enter = async () => {
      resolve();
      await left;
    };
    gate.run(scope?.share ?? "", enter, scope).catch(reject);
  });
  let connection: RawConnection | undefined;
  let isRead = false;
  try {
    connection = await openRawConnection({ ...clientConfig(config), application_name: EXPORT }, cancelBackend);
    scope?.signal?.addEventListener("abort", connection.destroy, { once: true });
    yield* connection.stream(compile(statement));
    isRead = true;
  } catch (error) {
    throw translateError(error);
  } finally {
    if (connection) scope?.signal?.removeEventListener("abort", connection.destroy);
    if (isRead) await connection?.close().catch(() => undefined);
    else connection?.destroy();
    leave();
  }
}
