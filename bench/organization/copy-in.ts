// Takes rows as values; sends them with COPY … FROM STDIN, waiting whenever PostgreSQL is slower than we are.
import type { Socket } from "node:net";
import type pg from "pg";

type Value = string | number | null;

/** What `pg` gives to a query of its own making; its types say less than it offers. */
interface CopyConnection {
  readonly stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

const CHUNK_ROWS = 500;

/** Values hold no tab, line break or backslash: we made them. */
const line = (row: readonly Value[]): string => row.map((value) => (value === null ? "\\N" : value)).join("\t");

async function send(connection: CopyConnection, rows: Iterable<readonly Value[]>): Promise<void> {
  let lines: string[] = [];
  const flush = async (): Promise<void> => {
    connection.sendCopyFromChunk(Buffer.from(`${lines.join("\n")}\n`));
    lines = [];
    if (connection.stream.writableNeedDrain) await new Promise((resolve) => connection.stream.once("drain", resolve));
  };
  for (const row of rows) {
    lines.push(line(row));
    if (lines.length >= CHUNK_ROWS) await flush();
  }
  if (lines.length > 0) await flush();
  connection.endCopyFrom();
}

export function copyIn(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly Value[]>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    client.query({
      submit: (connection: unknown) => {
        // A pg.Connection is one of these.
        (connection as CopyConnection).query(`copy ${table} (${columns.join(", ")}) from stdin`);
      },
      handleCopyInResponse: (connection: CopyConnection) => {
        send(connection, rows).catch((error: unknown) => connection.sendCopyFail(String(error)));
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => (failure ? reject(failure) : resolve()),
      handleError: (error: Error) => {
        failure = error;
        reject(error);
      },
    } as pg.Submittable);
  });
}
