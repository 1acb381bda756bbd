// PostgreSQL's extended protocol, as bytes: a statement with its values as one message to send, an answer's error as the
// class that `pg` throws.
import pg from "pg";
import type { SqlValue, Statement } from "./sql.ts";

const SYNC_SIZE = 5;
const DESCRIBE_SIZE = 7;

/** Without a Sync of its own: it holds until that of the statement it is sent with. */
export function limitTo(milliseconds: number): Buffer {
  const values = [String(Math.max(1, Math.ceil(milliseconds)))];
  return unsynced({ text: "select set_config('statement_timeout', $1, true)", values });
}

function unsynced(statement: Statement): Buffer {
  const whole = message(statement, "", true);
  return whole.subarray(0, whole.length - SYNC_SIZE);
}

/**
 * Parse (where needed), Bind, Execute and Sync in one write. A name that is parsed may have been parsed before, as another
 * statement or over tables that have changed since: what it stood for is closed first, which is no error where it stood for
 * nothing. Described, its answer tells the names of the columns.
 */
export function message({ text, values }: Statement, name: string, parse: boolean, describe = false): Buffer {
  const texts = values.map(parameterText);
  const sizes = texts.map((value) => (value === null ? 0 : Buffer.byteLength(value)));
  const nameSize = Buffer.byteLength(name) + 1;
  const parseSize = parse ? 4 + nameSize + Buffer.byteLength(text) + 1 + 2 : 0;
  const closes = parse && name !== "";
  const closeSize = 4 + 1 + nameSize;
  const bindSize = 4 + 1 + nameSize + 2 + 2 + sizes.reduce((sum, size) => sum + 4 + size, 0) + 2;
  const buffer = Buffer.allocUnsafe(
    (closes ? 1 + closeSize : 0) +
      (parse ? 1 + parseSize : 0) +
      1 +
      bindSize +
      (describe ? DESCRIBE_SIZE : 0) +
      10 +
      SYNC_SIZE,
  );
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
  if (closes) {
    byte(0x43);
    int32(closeSize);
    byte(0x53);
    string(name);
  }
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
  if (describe) {
    byte(0x44);
    int32(DESCRIBE_SIZE - 1);
    byte(0x50);
    byte(0);
  }
  byte(0x45);
  int32(9);
  byte(0);
  int32(0);
  byte(0x53);
  int32(4);
  return buffer;
}

/** Several statements without values, as one message. */
export function scriptMessage(text: string): Buffer {
  const size = 4 + Buffer.byteLength(text) + 1;
  const buffer = Buffer.alloc(1 + size);
  buffer.writeUInt8(0x51, 0);
  buffer.writeInt32BE(size, 1);
  buffer.write(text, 5);
  return buffer;
}

/** `BEGIN` without a Sync of its own: where it fails, so does the statement that it is sent with. */
export const beginning = unsynced({ text: "begin", values: [] });

/** What a CommandComplete says. */
export const tagOf = (buffer: Buffer, start: number, end: number): string => buffer.toString("latin1", start, end - 1);

/** Of a RowDescription. */
export function columnNames(buffer: Buffer, start: number): string[] {
  const names: string[] = [];
  let at = start + 2;
  for (let left = buffer.readInt16BE(start); left > 0; left -= 1) {
    const end = buffer.indexOf(0, at);
    names.push(buffer.toString("utf8", at, end));
    at = end + 1 + 18;
  }
  return names;
}

function parameterText(value: SqlValue): string | null {
  if (value === null) return null;
  if (!Array.isArray(value)) return typeof value === "boolean" ? (value ? "t" : "f") : String(value);
  const elements = value.map(elementText);
  return `{${elements.join(",")}}`;
}

function elementText(element: SqlValue): string {
  if (element === null) return "NULL";
  const text = String(element);
  if (!/["\\]/u.test(text)) return `"${text}"`;
  // JSON marks the two in the same way, and is several times as fast; some other characters it writes as PostgreSQL does not.
  return /[\p{Cc}\p{Cs}]/u.test(text) ? `"${text.replace(/["\\]/gu, "\\$&")}"` : JSON.stringify(text);
}

/** The same class that `pg` throws, so that errors are told apart in one place. */
export function databaseError(body: Buffer): Error {
  const fields = new Map<string, string>();
  for (const part of body.toString("utf8").split("\0")) if (part !== "") fields.set(part.charAt(0), part.slice(1));
  const error = new pg.DatabaseError(fields.get("M") ?? "the database refused the statement", body.length, "error");
  return Object.assign(error, {
    code: fields.get("C"),
    detail: fields.get("D"),
    constraint: fields.get("n"),
    table: fields.get("t"),
    severity: fields.get("S"),
    routine: fields.get("R"),
  });
}
