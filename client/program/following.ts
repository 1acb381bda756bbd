// What happens to records, as it happens: the changes themselves, or a list that is kept the same as the service has it.
import { type FollowedChange, readChanges } from "../records/changes.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";
import { Unreachable, WireFailure } from "../transport/wire-failure.ts";
import { type ListOptions, listRecords, readByIds, type WireRow } from "./listing.ts";
import { pause } from "./retries.ts";

export interface FollowOptions {
  /** A cursor from before; without it, from now on. */
  readonly after?: string | undefined;
  /** Seconds that the service waits for something to happen, at most 60. 0: end once there is nothing left to tell. */
  readonly wait?: number | undefined;
}

const WAIT_SECONDS = 30;
const FIRST_AWAY_MS = 1_000;
const LONGEST_AWAY_MS = 60_000;

interface ChangePage {
  readonly changes: readonly FollowedChange[];
  readonly cursor: string;
}

/** Page by page, without end unless `wait` is 0. A service that is away for a while is waited for. */
async function* pages(
  call: Call,
  types: readonly RecordTypeKey[],
  { after, wait = WAIT_SECONDS }: FollowOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChangePage, void> {
  let cursor = after ?? (await readChanges(call, undefined, 0, signal)).cursor;
  let away = FIRST_AWAY_MS;
  for (let isKnown = false; ; ) {
    try {
      const page = await readChanges(call, cursor, wait, signal, types);
      isKnown = true;
      away = FIRST_AWAY_MS;
      const isNews = page.changes.length > 0 || page.cursor !== cursor;
      cursor = page.cursor;
      if (isNews) yield page;
      if (wait === 0 && !page.more) return;
    } catch (error) {
      // Whoever has followed for hours goes on when the service is back; a wrong address is told at once.
      if (!isKnown || !isPassing(error)) throw error;
      await pause(away, signal);
      away = Math.min(away * 2, LONGEST_AWAY_MS);
    }
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof WireFailure && [429, 502, 503, 504].includes(error.status));

/** The changes that the caller may read, each once; those of one record in their order. */
export async function* followChanges(
  call: Call,
  types: readonly RecordTypeKey[],
  options: FollowOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<FollowedChange, void> {
  for await (const { changes } of pages(call, types, options, signal)) yield* changes;
}

export type MirrorStep<Row> =
  /** All records follow, up to the next `cursor`: what is not among them is no longer in the list. */
  | { readonly kind: "start" }
  | { readonly kind: "put"; readonly id: string; readonly record: Row }
  | { readonly kind: "remove"; readonly id: string }
  /** Everything up to here is told: keep it, and go on with it as `after`. */
  | { readonly kind: "cursor"; readonly cursor: string };

/** The records of a list, and then every change of it. A cursor that the service has forgotten begins with all records again. */
export async function* mirrorList(
  call: Call,
  key: RecordTypeKey,
  options: ListOptions & FollowOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<MirrorStep<WireRow>, void> {
  let { after } = options;
  for (;;) {
    // The cursor first: what happens while the records are listed is told behind it.
    if (after === undefined) {
      const { cursor } = await readChanges(call, undefined, 0, signal);
      yield* all(call, key, options, cursor);
      after = cursor;
    }
    try {
      for await (const { changes, cursor } of pages(call, [key], { ...options, after }, signal)) {
        if (changes.some(({ operation }) => operation === "reset")) yield* all(call, key, options, cursor);
        else yield* changed(call, key, options, changes, cursor);
        after = cursor;
      }
      return;
    } catch (error) {
      if (!(error instanceof WireFailure) || error.status !== 410) throw error;
      after = undefined;
    }
  }
}

async function* all(
  call: Call,
  key: RecordTypeKey,
  options: ListOptions,
  cursor: string,
): AsyncGenerator<MirrorStep<WireRow>, void> {
  yield { kind: "start" };
  for await (const record of listRecords(call, key, options)) yield { kind: "put", id: record.id, record };
  yield { kind: "cursor", cursor };
}

/** Whatever happened to them: how they are now is what counts, and what happens later is told later. */
async function* changed(
  call: Call,
  key: RecordTypeKey,
  options: ListOptions,
  changes: readonly FollowedChange[],
  cursor: string,
): AsyncGenerator<MirrorStep<WireRow>, void> {
  const ids = [...new Set(changes.flatMap(({ id }) => (id === null ? [] : [id])))];
  const found = await readByIds(call, key, ids, options);
  for (const id of ids) {
    const record = found.get(id);
    yield record === undefined ? { kind: "remove", id } : { kind: "put", id, record };
  }
  yield { kind: "cursor", cursor };
}
