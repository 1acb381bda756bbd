// A statement on one of `pg`'s own connections: its rows as texts, no more of them than a statement may bring, given up
// when whoever asked goes away.
import pg from "pg";
import { translateError } from "./errors.ts";
import type { CancelBackend } from "./raw-connection.ts";
import { clientGone, currentScope, MOST_RESULT_BYTES, resultTooLarge } from "./scope.ts";

export interface QueryOptions {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name?: string | undefined;
  readonly rowMode?: "array" | undefined;
}

/** What `pg` calls back while a query runs; its typings leave it out. */
interface Rows {
  handleDataRow(row: { readonly length: number }): void;
  handleError(error: Error, connection: unknown): void;
  _canceledDueToError: Error | false | undefined;
}

export async function runBounded(
  client: pg.PoolClient,
  { text, values, name, rowMode }: QueryOptions,
  cancelBackend: CancelBackend,
): Promise<pg.QueryResult<never>> {
  const signal = currentScope()?.signal;
  if (signal?.aborted) throw clientGone();
  const { processID } = client as unknown as { readonly processID: number };
  let cancelling: Promise<void> | undefined;
  let left: Error | undefined;
  const giveUp = (reason: Error): void => {
    left ??= reason;
    cancelling ??= cancelBackend(processID).catch(() => undefined);
  };
  const onAbort = () => giveUp(clientGone());
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    // Without values or a name it may be several statements, as migrations are.
    const several = values.length === 0 && name === undefined && rowMode === undefined;
    const config = several ? { text } : { text, values: [...values], ...(name === undefined ? {} : { name }) };
    return await new Promise((resolve, reject) => {
      const query = new pg.Query(
        { ...config, ...(rowMode ? { rowMode } : {}) } as pg.QueryConfig,
        ((error: Error | null, result: pg.QueryResult<never>) =>
          error ? reject(error) : resolve(result)) as unknown as undefined,
      );
      bound(query as unknown as Rows, giveUp);
      client.query(query);
    });
  } catch (error) {
    throw left ?? translateError(error);
  } finally {
    signal?.removeEventListener("abort", onAbort);
    // A cancel that is still on its way must not meet the next statement.
    await cancelling;
  }
}

/** Rows past the limit are let pass; the query then ends with the error that says so. */
function bound(query: Rows, giveUp: (reason: Error) => void): void {
  const take = query.handleDataRow;
  let bytes = 0;
  query.handleDataRow = function (this: Rows, row) {
    bytes += row.length;
    if (bytes > MOST_RESULT_BYTES && !this._canceledDueToError) {
      this._canceledDueToError = resultTooLarge();
      giveUp(this._canceledDueToError);
    }
    take.call(this, row);
  };
}
