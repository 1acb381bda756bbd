// A connection of the hot path: `pg` opens it (authentication, TLS), then we speak the extended protocol ourselves, so
// that rows stay the bytes they came as. Statements are sent one after the other without waiting for answers. What is
// larger than a statement may bring is not kept; whoever goes away has the statement canceled.
import type { Socket } from "node:net";
import pg from "pg";
import { isGivenUp, isTimedOut } from "./errors.ts";
import { messageReader } from "./message-reader.ts";
import { databaseError, limitTo, message } from "./protocol.ts";
import {
  busy,
  clientGone,
  hold,
  isLate,
  MOST_RESULT_BYTES,
  resultTooLarge,
  type Scope,
  tookTooLong,
  UNCOUNTED_BYTES,
} from "./scope.ts";
import type { Statement } from "./sql.ts";
import { TextRows } from "./text-rows.ts";

export interface RawStatement {
  readonly statement: Statement;
  /** With a name, it is parsed and planned once on this connection, and anew when its tables have changed. */
  readonly name?: string | undefined;
  /** PostgreSQL itself gives it up after so long: those that wait behind it are not canceled with it. */
  readonly atMostMs?: number | undefined;
  readonly scope?: Scope | undefined;
}

export interface RawConnection {
  send(sent: RawStatement): Promise<TextRows>;
  /** Rows as they come, in batches; the next is read when it is asked for. For a connection that has nothing else to do. */
  stream(statement: Statement): AsyncGenerator<TextRows, void, undefined>;
  readonly waiting: () => number;
  /** Since when PostgreSQL is at the statement that it is at; of performance.now(). */
  readonly busySince: () => number;
  readonly broken: () => boolean;
  /** Has everything canceled that waits for it, with this as the reason. */
  abandon(reason: Error): void;
  close(): Promise<void>;
  /** At once, with whatever is under way. */
  destroy(): void;
}

interface Waiting extends RawStatement {
  buffers: Buffer[];
  starts: number[];
  bytes: number;
  /** Bytes that are counted against the share. */
  counted: number;
  parses: boolean;
  /** The setting of its limit is answered first, with a row of its own. */
  limited: boolean;
  error: Error | undefined;
  /** Nobody wants it any more: the rest of its rows is let pass. */
  leftFor: Error | undefined;
  cancelled: boolean;
  again: boolean;
  /** Takes rows in batches, in place of having them all at the end. */
  readonly onBatch?: (rows: TextRows) => void;
  resolve(rows: TextRows): void;
  reject(error: Error): void;
}

const COMPLETE = 0x43;
const DATA_ROW = 0x44;
const ERROR = 0x45;
const READY = 0x5a;
/**
 * What a prepared statement can run into: "cached plan must not change result type", and "does not exist" where the one
 * before, which was to prepare it, was stopped meanwhile.
 */
const MUST_PREPARE_ANEW = new Set<string | undefined>(["0A000", "26000"]);
const BATCH_BYTES = 512 * 1024;
const BATCH_ROWS = 500;

export type CancelBackend = (processId: number) => Promise<void>;

/** `begin`: a statement that every connection opens with. */
export async function openRawConnection(
  config: pg.ClientConfig,
  cancelBackend: CancelBackend,
  begin?: string,
): Promise<RawConnection> {
  const client = new pg.Client(config);
  const queue: Waiting[] = [];
  let broken: Error | undefined;
  const fail = (error: Error): void => {
    broken ??= error;
    for (const waiting of queue.splice(0)) waiting.reject(error);
  };
  // From the start: a server that goes down may say so behind its greeting, and what nobody listens to ends the process.
  client.on("error", fail);
  client.on("end", () => fail(new Error("Connection terminated unexpectedly")));
  await client.connect();
  if (begin !== undefined) await client.query(begin);
  if (broken) throw broken;
  // pg keeps its connection to itself in the typings; we take over its socket once it is ready for queries.
  const { connection, processID } = client as unknown as { connection: { stream: Socket }; processID: number };
  const { stream } = connection;
  stream.removeAllListeners("data");
  /** What each name stands for on this connection. */
  const parsed = new Map<string, string>();
  /** Cancels that came too late for what they were meant for, and may hit what comes after it. */
  let loose = 0;
  let busySince = 0;
  const unsent: Buffer[] = [];

  // While the backend is at work, what comes in the same turn goes out in one write: a write is mostly the price of
  // waking somebody up.
  const flush = (): void => {
    const messages = unsent.splice(0);
    if (!broken && messages.length > 0)
      stream.write(messages.length === 1 && messages[0] ? messages[0] : Buffer.concat(messages));
  };

  /** Only the one that PostgreSQL is at can be canceled; the others are when it is their turn. */
  const cancel = (waiting: Waiting): void => {
    if (waiting.cancelled || queue[0] !== waiting) return;
    waiting.cancelled = true;
    loose += 1;
    cancelBackend(processID).catch(() => undefined);
  };

  const leave = (waiting: Waiting, error: Error): void => {
    waiting.leftFor ??= error;
    waiting.buffers = [];
    waiting.starts = [];
    cancel(waiting);
  };

  /** False where this is more than the statement may bring, or its share may hold. */
  const count = (waiting: Waiting, bytes: number): boolean => {
    if (waiting.leftFor) return false;
    if (waiting.onBatch) return true;
    waiting.bytes += bytes;
    if (waiting.bytes > MOST_RESULT_BYTES) leave(waiting, resultTooLarge());
    else if (waiting.scope && waiting.bytes - waiting.counted > UNCOUNTED_BYTES) {
      const refused = hold(waiting.scope, waiting.bytes - waiting.counted);
      waiting.counted = waiting.bytes;
      if (refused) leave(waiting, refused);
    }
    return waiting.leftFor === undefined;
  };

  const handOver = (waiting: Waiting): void => {
    const rows = new TextRows(waiting.buffers, waiting.starts);
    waiting.buffers = [];
    waiting.starts = [];
    waiting.bytes = 0;
    waiting.onBatch?.(rows);
  };

  const finish = (waiting: Waiting): void => {
    queue.shift();
    busySince = performance.now();
    const { error, leftFor } = waiting;
    const hit = isGivenUp(error) && !isTimedOut(error);
    if (hit && loose > 0 && !waiting.cancelled && !waiting.again) {
      // Meant for the one before; nothing of it was done.
      loose -= 1;
      put({ ...waiting, again: true });
    } else if (mustPrepareAnew(error, waiting) && !leftFor) {
      put({ ...waiting, again: true });
    } else {
      if (hit && waiting.cancelled) loose -= 1;
      if (error && waiting.name !== undefined && waiting.parses) parsed.delete(waiting.name);
      if (leftFor ?? error) waiting.reject(leftFor ?? (error as Error));
      else if (waiting.onBatch) {
        if (waiting.starts.length > 0) handOver(waiting);
        waiting.resolve(new TextRows([], []));
      } else waiting.resolve(new TextRows(waiting.buffers, waiting.starts));
    }
    const [next] = queue;
    if (next?.leftFor) cancel(next);
    // It has waited for those before it until there was no time left.
    else if (next && isLate(next.scope)) leave(next, busy());
  };

  /** Only what others prepared: whoever prepares for itself is told what is wrong. */
  const mustPrepareAnew = (error: Error | undefined, { name, parses }: Waiting): boolean => {
    if (name === undefined || parses || !(error instanceof pg.DatabaseError) || !MUST_PREPARE_ANEW.has(error.code))
      return false;
    parsed.delete(name);
    return true;
  };

  const read = messageReader({
    wants: (type, length) => type !== DATA_ROW || queue[0] === undefined || queue[0].limited || count(queue[0], length),
    receive: (type, buffer, start, end) => {
      const [current] = queue;
      if (!current) return;
      if (current.limited && (type === DATA_ROW || type === COMPLETE)) {
        current.limited = type !== COMPLETE;
      } else if (type === DATA_ROW) {
        current.buffers.push(buffer);
        current.starts.push(start + 2);
        current.bytes += current.onBatch ? end - start : 0;
        if (current.onBatch && (current.bytes > BATCH_BYTES || current.starts.length >= BATCH_ROWS)) handOver(current);
      } else if (type === ERROR) {
        current.error = databaseError(buffer.subarray(start, end));
      } else if (type === READY) finish(current);
    },
  });
  stream.on("data", read);

  const put = (waiting: Waiting): void => {
    const { name, atMostMs } = waiting;
    // Who is sent again relies on nobody.
    const parses = name === undefined || waiting.again || parsed.get(name) !== waiting.statement.text;
    if (name !== undefined) parsed.set(name, waiting.statement.text);
    const limited = atMostMs !== undefined;
    const fresh = { parses, limited, buffers: [], starts: [], bytes: 0, counted: 0, error: undefined };
    if (queue.length === 0) busySince = performance.now();
    queue.push(Object.assign(waiting, fresh));
    const own = message(waiting.statement, name ?? "", parses);
    if (unsent.push(limited ? Buffer.concat([limitTo(atMostMs), own]) : own) > 1) return;
    if (queue.length === 1) flush();
    else setImmediate(flush);
  };

  const start = (sent: RawStatement, onBatch?: (rows: TextRows) => void): Promise<TextRows> => {
    if (broken) return Promise.reject(new Error("Connection terminated"));
    const signal = sent.scope?.signal;
    if (signal?.aborted) return Promise.reject(clientGone());
    if (isLate(sent.scope)) return Promise.reject(tookTooLong());
    let waiting: Waiting | undefined;
    const done = new Promise<TextRows>((resolve, reject) => {
      const blank = { buffers: [], starts: [], bytes: 0, counted: 0, parses: false, limited: false };
      const fate = { error: undefined, leftFor: undefined, cancelled: false, again: false };
      waiting = { ...sent, ...blank, ...fate, ...(onBatch ? { onBatch } : {}), resolve, reject };
      put(waiting);
    });
    if (!signal) return done;
    const onAbort = () => {
      const now = queue.find(({ resolve }) => resolve === waiting?.resolve);
      if (now) leave(now, clientGone());
    };
    signal.addEventListener("abort", onAbort, { once: true });
    return done.finally(() => signal.removeEventListener("abort", onAbort));
  };

  async function* streamed(statement: Statement): AsyncGenerator<TextRows, void, undefined> {
    const ready: TextRows[] = [];
    let wake = () => {};
    let ended = false;
    let failed: Error | undefined;
    const onBatch = (rows: TextRows): void => {
      ready.push(rows);
      stream.pause();
      wake();
    };
    start({ statement }, onBatch)
      .catch((error: Error) => {
        failed = error;
      })
      .finally(() => {
        ended = true;
        wake();
      });
    for (;;) {
      const rows = ready.shift();
      if (rows) yield rows;
      else if (failed) throw failed;
      else if (ended) return;
      else {
        const more = new Promise<void>((resolve) => {
          wake = resolve;
        });
        stream.resume();
        await more;
      }
    }
  }

  return {
    waiting: () => queue.length,
    busySince: () => busySince,
    broken: () => broken !== undefined,
    send: (sent) => start(sent),
    stream: streamed,
    abandon: (reason) => {
      for (const waiting of queue) leave(waiting, reason);
    },
    close: () => client.end(),
    destroy: () => {
      if (queue.length > 0) cancelBackend(processID).catch(() => undefined);
      stream.destroy();
    },
  };
}
