// Takes connection settings; gives the one interface by which everything above talks to PostgreSQL, embedded or outside.
// Every value comes back as the text that PostgreSQL sent: nothing is parsed here.
import pg from "pg";
import { translateError, unknownOutcome } from "./errors.ts";
import { rawPool } from "./raw-pool.ts";
import { compile, type Sql, type Statement } from "./sql.ts";
import type { TextRows } from "./text-rows.ts";

export type Row = Record<string, string | null>;

export interface Queryable {
  /** Rows as objects; for everything but the hot path. */
  rows<T extends Row = Row>(statement: Sql): Promise<T[]>;
  /** The first row, or undefined. */
  row<T extends Row = Row>(statement: Sql): Promise<T | undefined>;
  /** Rows as arrays, and how many rows were touched. */
  run(statement: Sql): Promise<{ readonly rows: (string | null)[][]; readonly count: number }>;
  /** Several statements of our own at once, without values (migrations, DDL). */
  script(text: string): Promise<void>;
  /**
   * The hot path: a statement that comes again and again is parsed and planned once per connection. Its plan is the
   * same for all values, so its text must already say how to go about it. Gives rows as arrays of texts.
   */
  prepared(statement: Sql): Promise<(string | null)[][]>;
  /**
   * As `prepared`, on its own, at once and for good, whatever becomes of a transaction around it. Not for rows that a transaction
   * touches: it would wait for itself.
   */
  apart(statement: Sql): Promise<(string | null)[][]>;
}

export interface Database extends Queryable {
  readonly connection: pg.ClientConfig;
  /** As `prepared`, with rows as the bytes they came as. */
  preparedBytes(statement: Sql | Statement): Promise<TextRows>;
  /**
   * Rows as bytes, of a statement that will hardly come again: planned for its values. With `atMostMs`, PostgreSQL gives it
   * up after so long (`isGivenUp` of errors.ts).
   */
  bytes(statement: Sql, atMostMs?: number): Promise<TextRows>;
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>;
  /** Runs with a connection of its own, for session locks. */
  session<T>(work: (session: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const asText = (value: string | Buffer): string | Buffer => value;

/** What every connection is opened with. */
export function clientConfig(connection: pg.ClientConfig): pg.ClientConfig {
  return {
    ...connection,
    application_name: "dossier",
    types: { getTypeParser: () => asText },
    // Dates and times have one spelling on the wire, whatever the server's settings.
    options: "-c TimeZone=UTC -c DateStyle=ISO,MDY -c IntervalStyle=postgres -c client_min_messages=warning",
  };
}

function queryable(client: pg.Pool | pg.PoolClient): Omit<Queryable, "apart" | "prepared"> {
  return {
    rows: async <T extends Row>(statement: Sql) => (await send(client, statement)).rows as T[],
    row: async <T extends Row>(statement: Sql) => (await send(client, statement)).rows[0] as T | undefined,
    run: async (statement) => {
      const result = await send(client, statement, { rowMode: "array" });
      return { rows: result.rows as (string | null)[][], count: result.rowCount ?? 0 };
    },
    script: async (text) => {
      try {
        await client.query(text);
      } catch (error) {
        throw translateError(error);
      }
    },
  };
}

interface SendOptions {
  readonly rowMode?: "array";
  readonly nameOf?: (text: string) => string | undefined;
}

async function send(
  client: pg.Pool | pg.PoolClient,
  statement: Sql,
  { rowMode, nameOf }: SendOptions = {},
): Promise<pg.QueryResult<never>> {
  const { text, values } = compile(statement);
  const name = nameOf?.(text);
  try {
    // pg's own typings know row objects only; in array mode a row is the array of its texts.
    return (await client.query({
      text,
      values: [...values],
      ...(name === undefined ? {} : { name }),
      ...(rowMode ? { rowMode } : {}),
    })) as pg.QueryResult<never>;
  } catch (error) {
    throw translateError(error);
  }
}

/** A prepared statement costs 50 to 140 kB per connection: past this many texts the rest goes unprepared. */
const MAX_PREPARED = { reading: 300, writing: 150 };

/** Which texts are worth it shows when they come again. */
const MAX_SEEN_ONCE = 2_000;

/** Names for statement texts that come more than once, first come first served. */
function statementNames(most: number): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const seenOnce = new Set<string>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined || names.size >= most) return name;
    if (!seenOnce.delete(text)) {
      if (seenOnce.size >= MAX_SEEN_ONCE) seenOnce.clear();
      seenOnce.add(text);
      return undefined;
    }
    const given = `s${names.size}`;
    names.set(text, given);
    return given;
  };
}

export interface DatabaseOptions {
  readonly connections?: number;
  /** Connections of the hot path: about two per core is the sweet spot. */
  readonly preparedConnections?: number;
  readonly log?: (message: string) => void;
}

export function openDatabase(connection: pg.ClientConfig, options: DatabaseOptions = {}): Database {
  const pool = new pg.Pool({
    ...clientConfig(connection),
    max: options.connections ?? 8,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // An idle connection that breaks is dropped by the pool; the next query opens another.
  pool.on("error", (error) => options.log?.(`a database connection was lost: ${error.message}`));

  const settings = clientConfig(connection);
  const hot = rawPool(
    { ...settings, options: `${settings.options} -c plan_cache_mode=force_generic_plan` },
    options.preparedConnections ?? 4,
  );
  const cold = rawPool(settings, options.preparedConnections ?? 4);
  const nameOf = statementNames(MAX_PREPARED.reading);
  const nameInTransaction = statementNames(MAX_PREPARED.writing);

  const preparedBytes = (statement: Sql | Statement): Promise<TextRows> => {
    const compiled = "text" in statement ? statement : compile(statement);
    return hot.send(compiled, nameOf(compiled.text));
  };

  const prepared: Queryable["prepared"] = async (statement) => (await preparedBytes(statement)).toArrays();

  const onOne = (client: pg.PoolClient): Queryable => ({
    ...queryable(client),
    prepared: async (statement) =>
      (await send(client, statement, { rowMode: "array", nameOf: nameInTransaction })).rows,
    apart: prepared,
  });

  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw translateError(error);
    }
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on("error", onError);
    try {
      return await work(client);
    } finally {
      client.off("error", onError);
      client.release(broken);
    }
  };

  return {
    connection,
    ...queryable(pool),
    apart: prepared,
    transaction: (work) =>
      withClient(async (client) => {
        const transaction = onOne(client);
        await transaction.script("begin");
        try {
          const result = await work(transaction);
          await transaction.script("commit").catch((error: unknown) => {
            throw unknownOutcome(error);
          });
          return result;
        } catch (error) {
          // The connection may be the very thing that failed; the first error is the one that tells.
          await client.query("rollback").catch(() => undefined);
          throw error;
        }
      }),
    session: (work) => withClient((client) => work(onOne(client))),
    prepared,
    preparedBytes,
    bytes: (statement, atMostMs) => cold.send(compile(statement), undefined, atMostMs),
    close: async () => {
      await Promise.all([pool.end(), hot.close(), cold.close()]);
    },
  };
}
