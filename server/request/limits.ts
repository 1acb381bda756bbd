// How much a request may bring. One place, so that the documentation and the tests can quote it.

const MEBIBYTE = 1024 * 1024;

export const limits = {
  /** Segments of a key: `data[leads][name]` has three. */
  levels: 8,
  /** Values in a query string or a body. */
  keys: 5_000,
  /** The same in a body of records or of ids: 1,000 records of 30 fields, with what goes along with references. */
  rowKeys: 100_000,
  /** A JSON or urlencoded body, and all plain values of a multipart body together. */
  bodyBytes: 10 * MEBIBYTE,
  /** An address with all headers: a q of its full length, every byte of it percent-encoded, and some room. */
  headerBytes: 128 * 1024,
  files: 20,
  /** A body that a stranger may send: to log in, to ask for a link. */
  strangersBytes: 256 * 1024,
  /** A JSON body of no more than this is looked at before its sender is known: it may hold the id to answer under. */
  peekedBytes: 64 * 1024,
  /** What is still taken off the wire of a body that was refused, so that its sender gets to read why. */
  discardedBytes: 16 * MEBIBYTE,
  discardedMs: 60_000,
  /** The headers of one part of a multipart body. */
  partHeaderBytes: 16 * 1024,
  idempotencyKeyLength: 255,
} as const;

export const inMebibytes = (bytes: number): string =>
  bytes < MEBIBYTE ? `${bytes / 1024} KiB` : `${bytes / MEBIBYTE} MiB`;

/** Operations whose body holds many records, or the ids of many. */
const ofMany: ReadonlySet<string> = new Set([
  "add_many",
  "edit_many",
  "edit_selected",
  "delete_selected",
  "restore_selected",
  "export",
]);

export const keysOf = (operation: string | undefined): number =>
  operation !== undefined && ofMany.has(operation) ? limits.rowKeys : limits.keys;
