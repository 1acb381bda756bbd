// A connection of the hot path: `pg` opens it (authentication, TLS), then we speak the extended protocol ourselves, so
// that rows stay the bytes they came as. Statements are sent one after the other without waiting for answers.
import type { Socket } from "node:net";
import pg from "pg";
import type { SqlValue, Statement } from "./sql.ts";
import { TextRows } from "./text-rows.ts";

export interface RawConnection {
  /**
   * With a name, the statement is parsed and planned once on this connection. With `atMostMs`, PostgreSQL itself gives it
   * up after so long: those that wait behind it are not cancelled with it.
   */
  send(statement: Statement, name: string | undefined, atMostMs?: number): Promise<TextRows>;
  readonly waiting: () => number;
  readonly broken: () => boolean;
  close(): Promise<void>;
}

interface Waiting {
  readonly name: string | undefined;
  readonly buffers: Buffer[];
  readonly starts: number[];
  /** The setting of its limit is answered first, with a row of its own. */
  limited: boolean;
  error: Error | undefined;
  resolve(rows: TextRows): void;
  reject(error: Error): void;
}

const COMPLETE = 0x43;
const DATA_ROW = 0x44;
const ERROR = 0x45;
const READY = 0x5a;
const nothing = Buffer.alloc(0);

export async function openRawConnection(config: pg.ClientConfig): Promise<RawConnection> {
  const client = new pg.Client(config);
  await client.connect();
  // pg keeps its connection to itself in the typings; we take over its socket once it is ready for queries.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners("data");
  const queue: Waiting[] = [];
  const parsed = new Set<string>();
  let rest: Buffer = nothing;
  let broken = false;
  const unsent: Buffer[] = [];

  // While the backend is at work, what comes in the same turn goes out in one write: a write is mostly the price of
  // waking somebody up.
  const flush = (): void => {
    const messages = unsent.splice(0);
    if (!broken && messages.length > 0)
      stream.write(messages.length === 1 && messages[0] ? messages[0] : Buffer.concat(messages));
  };

  const fail = (error: Error): void => {
    broken = true;
    for (const waiting of queue.splice(0)) waiting.reject(error);
  };
  client.on("error", fail);
  client.on("end", () => fail(new Error("Connection terminated unexpectedly")));

  const receive = (type: number, buffer: Buffer, start: number, end: number): void => {
    const [current] = queue;
    if (!current) return;
    if (current.limited && (type === DATA_ROW || type === COMPLETE)) {
      current.limited = type !== COMPLETE;
    } else if (type === DATA_ROW) {
      current.buffers.push(buffer);
      current.starts.push(start + 2);
    } else if (type === ERROR) {
      current.error = databaseError(buffer.subarray(start, end));
    } else if (type === READY) {
      queue.shift();
      if (current.error) {
        if (current.name !== undefined) parsed.delete(current.name);
        current.reject(current.error);
      } else current.resolve(new TextRows(current.buffers, current.starts));
    }
  };
  stream.on("data", (chunk: Buffer) => {
    const buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let position = 0;
    while (position + 5 <= buffer.length) {
      const end = position + 1 + buffer.readInt32BE(position + 1);
      if (end > buffer.length) break;
      receive(buffer[position] ?? 0, buffer, position + 5, end);
      position = end;
    }
    rest = position === buffer.length ? nothing : buffer.subarray(position);
  });

  return {
    waiting: () => queue.length,
    broken: () => broken,
    send: (statement, name, atMostMs) =>
      new Promise((resolve, reject) => {
        if (broken) {
          reject(new Error("Connection terminated"));
          return;
        }
        const parse = name === undefined || !parsed.has(name);
        if (name !== undefined) parsed.add(name);
        const limited = atMostMs !== undefined;
        queue.push({
          name: parse ? name : undefined,
          buffers: [],
          starts: [],
          limited,
          error: undefined,
          resolve,
          reject,
        });
        const own = message(statement, name ?? "", parse);
        if (unsent.push(limited ? Buffer.concat([limitTo(atMostMs), own]) : own) > 1) return;
        if (queue.length === 1) flush();
        else setImmediate(flush);
      }),
    close: () => client.end(),
  };
}

const SYNC_SIZE = 5;

/** Without a Sync of its own: it holds until that of the statement it is sent with. */
function limitTo(milliseconds: number): Buffer {
  const values = [String(Math.max(1, Math.ceil(milliseconds)))];
  const whole = message({ text: "select set_config('statement_timeout', $1, true)", values }, "", true);
  return whole.subarray(0, whole.length - SYNC_SIZE);
}

/** Parse (where needed), Bind, Execute and Sync in one write. */
function message({ text, values }: Statement, name: string, parse: boolean): Buffer {
  const texts = values.map(parameterText);
  const sizes = texts.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const nameSize = Buffer.byteLength(name) + 1;
  const parseSize = parse ? 4 + nameSize + Buffer.byteLength(text) + 1 + 2 : 0;
  const bindSize = 4 + 1 + nameSize + 2 + 2 + sizes.reduce((sum, size) => sum + 4 + size, 0) + 2;
  const buffer = Buffer.allocUnsafe((parse ? 1 + parseSize : 0) + 1 + bindSize + 10 + SYNC_SIZE);
  let at = 0;
  const byte = (value: number) => {
    at = buffer.writeUInt8(value, at);
  };
  const int32 = (value: number) => {
    at = buffer.writeInt32BE(value, at);
  };
  const int16 = (value: number) => {
    at = buffer.writeInt16BE(value, at);
  };
  const string = (value: string) => {
    at += buffer.write(value, at);
    byte(0);
  };
  if (parse) {
    byte(0x50);
    int32(parseSize);
    string(name);
    string(text);
    int16(0);
  }
  byte(0x42);
  int32(bindSize);
  byte(0);
  string(name);
  int16(0);
  int16(texts.length);
  texts.forEach((value, index) => {
    if (value === null) int32(-1);
    else {
      int32(sizes[index] ?? 0);
      at += buffer.write(value, at);
    }
  });
  int16(0);
  byte(0x45);
  int32(9);
  byte(0);
  int32(0);
  byte(0x53);
  int32(4);
  return buffer;
}

function parameterText(value: SqlValue): string | null {
  if (value === null) return null;
  if (!Array.isArray(value)) return typeof value === "boolean" ? (value ? "t" : "f") : String(value);
  const elements = value.map((element) =>
    element === null ? "NULL" : `"${String(element).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`,
  );
  return `{${elements.join(",")}}`;
}

/** The same class that `pg` throws, so that errors are told apart in one place. */
function databaseError(body: Buffer): Error {
  const fields = new Map<string, string>();
  for (const part of body.toString("utf8").split("\0")) if (part !== "") fields.set(part.charAt(0), part.slice(1));
  const error = new pg.DatabaseError(fields.get("M") ?? "the database refused the statement", body.length, "error");
  return Object.assign(error, {
    code: fields.get("C"),
    detail: fields.get("D"),
    constraint: fields.get("n"),
    table: fields.get("t"),
    severity: fields.get("S"),
  });
}
