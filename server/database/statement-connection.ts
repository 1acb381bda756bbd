// Takes a connection that `pg` opened (authentication, TLS, pooling); speaks the extended protocol on it. Statements go out one
// behind the other without waiting for answers, so that a transaction's writes and its commit are one round trip. For one user
// at a time: when that one goes away, what PostgreSQL is at is canceled. Rows past what a statement may bring are let pass.
import type { Socket } from "node:net";
import type pg from "pg";
import { translateError } from "./errors.ts";
import { messageReader } from "./message-reader.ts";
import { beginning, columnNames, databaseError, message, scriptMessage, tagOf } from "./protocol.ts";
import type { CancelBackend } from "./raw-connection.ts";
import { clientGone, currentScope, MOST_RESULT_BYTES, resultTooLarge } from "./scope.ts";
import type { Statement } from "./sql.ts";
import { TextRows } from "./text-rows.ts";

export interface SentStatement {
  readonly statement: Statement;
  /** With a name, it is parsed and planned once on this connection. */
  readonly name?: string | undefined;
  /** Whether the names of its columns are wanted. */
  readonly isDescribed?: boolean;
  /** A transaction begins with it: both, or neither. */
  readonly begins?: boolean;
  /** It may wait for what is sent next, to go out with it. */
  readonly mayWait?: boolean;
}

export interface Answer {
  readonly rows: TextRows;
  readonly names: readonly string[];
  /** What PostgreSQL says it did: `UPDATE 3`, `COMMIT`. */
  readonly tag: string;
}

export interface StatementConnection {
  send(sent: SentStatement): Promise<Answer>;
  /** Several statements of our own, without values. `mayWait`: for what is sent next, to go out with it. */
  script(text: string, mayWait?: boolean): Promise<Answer>;
  /** Ends a transaction that comes to nothing: also for whoever has gone away. */
  rollback(): Promise<Answer>;
  /** Leaves the session's locks and its time limit: also for whoever has gone away. A connection that can't is never free again. */
  letGo(): Promise<void>;
  /** Whether nothing is under way on it and no transaction is open: only then may it pass to the next user. */
  isFree(): boolean;
}

interface Waiting {
  readonly name: string | undefined;
  readonly parses: boolean;
  /** The answer to `begin` comes before its own. */
  begins: boolean;
  buffers: Buffer[];
  starts: number[];
  bytes: number;
  names: readonly string[];
  tag: string;
  error: Error | undefined;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

const COMPLETE = 0x43;
const DATA_ROW = 0x44;
const ERROR = 0x45;
const DESCRIPTION = 0x54;
const READY = 0x5a;
/** Of the status that comes with READY: no transaction is open. */
const IDLE = 0x49;

const LET_GO = "select pg_advisory_unlock_all(); reset statement_timeout; reset lock_timeout";

const plain = { name: undefined, parses: false, begins: false } as const;

const opened = new WeakMap<pg.PoolClient, StatementConnection>();

export interface ConnectionUse {
  readonly cancelBackend: CancelBackend;
  /** Changes with the design of the tables: what was prepared before is prepared anew. */
  readonly designVersion: () => number;
  /** Throws where nothing is begun any more for whoever sends. */
  readonly assertOpen: () => void;
}

/** The same for as long as the client lives: nothing else may send on it any more. */
export function statementsOn(client: pg.PoolClient, use: ConnectionUse): StatementConnection {
  const known = opened.get(client) ?? takeOver(client, use);
  opened.set(client, known);
  return known;
}

function takeOver(
  client: pg.PoolClient,
  { cancelBackend, designVersion, assertOpen }: ConnectionUse,
): StatementConnection {
  // pg keeps its connection to itself in the typings; we take over its socket once it is ready for queries.
  const inner = client as unknown as { readonly connection: { readonly stream: Socket }; readonly processID: number };
  const { stream } = inner.connection;
  stream.removeAllListeners("data");
  const queue: Waiting[] = [];
  /** What each name stands for on this connection. */
  const parsed = new Map<string, string>();
  let parsedFor = designVersion();
  let hasAltered = false;
  let isIdle = true;
  const unsent: Buffer[] = [];
  let broken: Error | undefined;
  let cancelling: Promise<void> | undefined;

  const fail = (error: Error): void => {
    broken ??= error;
    for (const waiting of queue.splice(0)) waiting.reject(error);
  };
  client.on("error", fail);
  client.on("end", () => fail(new Error("Connection terminated unexpectedly")));

  const cancel = (): void => {
    cancelling ??= cancelBackend(inner.processID).catch(() => undefined);
  };

  const count = (waiting: Waiting, bytes: number): boolean => {
    waiting.bytes += bytes;
    if (waiting.bytes <= MOST_RESULT_BYTES) return true;
    if (!waiting.error) {
      waiting.error = resultTooLarge();
      cancel();
    }
    return false;
  };

  const finish = (waiting: Waiting): void => {
    queue.shift();
    const { error, name, names, tag } = waiting;
    if (error) {
      if (name !== undefined && waiting.parses) parsed.delete(name);
      waiting.reject(error);
    } else waiting.resolve({ rows: new TextRows(waiting.buffers, waiting.starts), names, tag });
  };

  const read = messageReader({
    wants: (type, length) => type !== DATA_ROW || queue[0] === undefined || count(queue[0], length),
    receive: (type, buffer, start, end) => {
      const [current] = queue;
      if (!current) return;
      if (type === DATA_ROW) {
        current.buffers.push(buffer);
        current.starts.push(start + 2);
      } else if (type === COMPLETE) {
        if (current.begins) current.begins = false;
        else current.tag = tagOf(buffer, start, end);
        // Columns have other types within the same transaction, and had others again where it comes to nothing.
        hasAltered ||= current.tag.startsWith("ALTER ");
        if (hasAltered && /^(?:ALTER |ROLLBACK$)/u.test(current.tag)) parsed.clear();
      } else if (type === DESCRIPTION) current.names = columnNames(buffer, start);
      else if (type === ERROR) current.error ??= databaseError(buffer.subarray(start, end));
      else if (type === READY) {
        isIdle = buffer[start] === IDLE;
        finish(current);
      }
    },
  });
  stream.on("data", read);

  const flush = (): void => {
    const messages = unsent.splice(0);
    if (broken || messages.length === 0) return;
    stream.write(messages.length === 1 && messages[0] ? messages[0] : Buffer.concat(messages));
  };

  const put = (bytes: Buffer, waits: boolean, about: Pick<Waiting, "name" | "parses" | "begins">): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const blank = { buffers: [], starts: [], bytes: 0, names: [], tag: "", error: undefined };
      queue.push({ ...about, ...blank, resolve, reject });
      unsent.push(bytes);
      if (!waits) flush();
      else if (unsent.length === 1) setImmediate(flush);
    });

  /** Whoever goes away has canceled what is under way, and hears of it when that is over. */
  const guarded = async (start: () => Promise<Answer>): Promise<Answer> => {
    if (broken) throw translateError(broken);
    assertOpen();
    const signal = currentScope()?.signal;
    if (signal?.aborted) throw clientGone();
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return await start();
    } catch (error) {
      throw signal?.aborted ? clientGone() : translateError(error);
    } finally {
      signal?.removeEventListener("abort", cancel);
      if (cancelling) {
        // A cancel that is still on its way must not meet the next statement.
        await cancelling;
        cancelling = undefined;
      }
    }
  };

  return {
    send: ({ statement, name, isDescribed = false, begins = false, mayWait = false }) =>
      guarded(() => {
        if (parsedFor !== designVersion()) {
          parsedFor = designVersion();
          parsed.clear();
        }
        const parses = name === undefined || parsed.get(name) !== statement.text;
        if (name !== undefined) parsed.set(name, statement.text);
        const own = message(statement, name ?? "", parses, isDescribed);
        return put(begins ? Buffer.concat([beginning, own]) : own, mayWait, { name, parses, begins });
      }),
    script: (text, mayWait = false) => guarded(() => put(scriptMessage(text), mayWait, plain)),
    rollback: async () => {
      if (broken) throw broken;
      return put(scriptMessage("rollback"), false, plain);
    },
    letGo: async () => {
      if (!broken) await put(scriptMessage(LET_GO), false, plain).catch(fail);
    },
    isFree: () => isIdle && queue.length === 0 && cancelling === undefined && broken === undefined,
  };
}
