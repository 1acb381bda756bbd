// Where the bytes of files are kept: one small interface, filled by a folder (local-store.ts) or an S3-compatible
// service (s3-store.ts). Keys are ours, made by newStorageKey; nothing that a person sent ever becomes part of one.
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";

export interface ByteRange {
  /** Both ends included. */
  readonly start: number;
  readonly end: number;
}

export interface FileStore {
  /** Puts a file of this machine under a key, whole or not at all. */
  put(key: string, path: string, size: number): Promise<void>;
  /** Undefined when there is none. */
  get(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** The size in bytes; undefined when there is none. */
  stat(key: string): Promise<number | undefined>;
  /** Removing what is not there is no fault. */
  remove(key: string): Promise<void>;
}

export const newStorageKey = (): string => randomBytes(20).toString("hex");

/** Nothing but our own keys may reach a path or an address. */
export function checkStorageKey(key: string): string {
  if (!/^[0-9a-f]{40}$/.test(key)) throw new Error("not a storage key");
  return key;
}
