// Reads any number of rows in batches, all as they were at one moment, over a connection of its own: the next batch is
// fetched when it is asked for, and the connection ends when reading ends, however it ends. Rows stay the bytes they
// came as: a million rows leave no texts behind for the collector.
import type pg from "pg";
import { Failure } from "../../contract/failures.ts";
import { clientConfig } from "./database.ts";
import { translateError } from "./errors.ts";
import { openRawConnection } from "./raw-connection.ts";
import { compile, type Sql } from "./sql.ts";
import type { TextRows } from "./text-rows.ts";

/** Each holds a connection, and a snapshot that keeps PostgreSQL from tidying up. */
const MOST_AT_ONCE = 4;
let reading = 0;

export async function* readInBatches(
  config: pg.ClientConfig,
  statement: Sql,
  size = 250,
): AsyncGenerator<TextRows, void, undefined> {
  if (reading >= MOST_AT_ONCE) {
    throw new Failure("too_many_requests", { with: { seconds: 30 }, headers: { "retry-after": "30" } });
  }
  reading += 1;
  let close = async (): Promise<void> => undefined;
  try {
    const connection = await openRawConnection(clientConfig(config));
    close = connection.close;
    const run = (text: string) => connection.send({ text, values: [] }, undefined);
    await run("begin isolation level repeatable read read only");
    // All rows will be wanted: plan for the last one, not for the first.
    await run("set local cursor_tuple_fraction = 1");
    const { text, values } = compile(statement);
    await connection.send({ text: `declare batches no scroll cursor without hold for ${text}`, values }, undefined);
    for (;;) {
      const rows = await run(`fetch ${size} from batches`);
      if (rows.length > 0) yield rows;
      if (rows.length < size) return;
    }
  } catch (error) {
    throw translateError(error);
  } finally {
    reading -= 1;
    await close().catch(() => undefined);
  }
}
