// Reads any number of rows in batches, all as they were at one moment, over a connection of its own: the next batch is
// fetched when it is asked for, and the connection ends when reading ends, however it ends.
import pg from "pg";
import { Failure } from "../../contract/failures.ts";
import { clientConfig } from "./database.ts";
import { translateError } from "./errors.ts";
import { compile, type Sql } from "./sql.ts";

export type TextRow = readonly (string | null)[];

/** Each holds a connection, and a snapshot that keeps PostgreSQL from tidying up. */
const MOST_AT_ONCE = 4;
let reading = 0;

export async function* readInBatches(
  connection: pg.ClientConfig,
  statement: Sql,
  size = 500,
): AsyncGenerator<readonly TextRow[], void, undefined> {
  if (reading >= MOST_AT_ONCE) {
    throw new Failure("too_many_requests", { with: { seconds: 30 }, headers: { "retry-after": "30" } });
  }
  reading += 1;
  const client = new pg.Client(clientConfig(connection));
  // A connection that breaks between two batches shows itself at the next one.
  client.on("error", () => undefined);
  const { text, values } = compile(statement);
  try {
    await client.connect();
    await client.query("begin isolation level repeatable read read only");
    // All rows will be wanted: plan for the last one, not for the first.
    await client.query("set local cursor_tuple_fraction = 1");
    await client.query({ text: `declare batches no scroll cursor without hold for ${text}`, values: [...values] });
    for (;;) {
      const { rows } = await client.query<(string | null)[]>({ text: `fetch ${size} from batches`, rowMode: "array" });
      if (rows.length > 0) yield rows;
      if (rows.length < size) return;
    }
  } catch (error) {
    throw translateError(error);
  } finally {
    reading -= 1;
    await client.end().catch(() => undefined);
  }
}
