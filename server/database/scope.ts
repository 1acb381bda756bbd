// In whose name statements run: whose share they count against, who goes away, how many bytes of answers are held for it.
// Set where a request begins; what runs without one is the service's own work (jobs, migrations, sweeping).
import { AsyncLocalStorage } from "node:async_hooks";
import { Failure } from "../../contract/failures.ts";
import type { SpanContext } from "../lib/tracing/tracer.ts";

export interface Scope {
  /** An organization's id; before it is known, the client's address. */
  share: string;
  /** Aborted when the client goes away; undefined for what must be finished all the same. */
  signal: AbortSignal | undefined;
  /** Of performance.now(): what has not been begun by then is not begun any more. */
  deadline: number;
  /** How many milliseconds there were when the time began. */
  budget: number;
  /** How many pieces of work its time stands still for, and since when: however many there are, it does so once. */
  untimed: number;
  stillSince: number;
  /** Bytes of large answers. */
  held: number;
  /** Only reads: what is made of its rows waits until whoever saves has had a turn. */
  reads: boolean;
  /** Transactions that are open within it. */
  transactions: number;
  /** One was committed: whatever happens now, something was saved. */
  saved: boolean;
  /** The span that statements and requests of ours belong to; undefined: no trace is made. */
  trace: SpanContext | undefined;
  /** What is known of the request, for who reads of a slow statement in the log. Ids and names of ours alone. */
  readonly about: About;
}

export interface About {
  request?: string;
  organization?: string;
  user?: string;
  operation?: string;
  type?: string;
  /** Of a list: the id of its view. */
  view?: string;
}

const scopes = new AsyncLocalStorage<Scope>();

export const openScope = (share: string): Scope => ({
  share,
  signal: undefined,
  deadline: Number.POSITIVE_INFINITY,
  budget: Number.POSITIVE_INFINITY,
  untimed: 0,
  stillSince: 0,
  held: 0,
  reads: false,
  transactions: 0,
  saved: false,
  trace: undefined,
  about: {},
});

/** Its time begins now. */
export function giveTime(scope: Scope, milliseconds: number): void {
  scope.budget = milliseconds;
  scope.deadline = performance.now() + milliseconds;
}

export const currentScope = (): Scope | undefined => scopes.getStore();

export const within = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work);

/**
 * For work that is not the request's own, or that others wait for too: what it commits is nothing that the request saved, and
 * it is not given up when the client goes away, but by `signal`, and it has as much time as the request had at its beginning.
 * Whoever waits for it waits by `patiently`.
 */
export async function apartFromClient<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const scope = scopes.getStore();
  if (scope === undefined) return work();
  const own: Scope = { ...scope, signal, held: 0, transactions: 0, untimed: 0 };
  giveTime(own, scope.budget);
  try {
    return await scopes.run(own, work);
  } finally {
    release(own);
  }
}

/** For what a request does in the name of an organization that its own scope does not know, or over and over. Holds nothing after it. */
export async function inOrganization<T>(id: string, milliseconds: number, work: () => Promise<T>): Promise<T> {
  const scope = openScope(id);
  giveTime(scope, milliseconds);
  try {
    return await scopes.run(scope, work);
  } finally {
    release(scope);
  }
}

/**
 * The request's time stands still meanwhile: for bytes on their way to or from where files are kept, as many as a file has, and for
 * changes of the design, which take as long as their tables make them take.
 */
export async function untimed<T>(work: () => Promise<T>): Promise<T> {
  const scope = scopes.getStore();
  if (scope === undefined) return work();
  moveDeadline(scope);
  scope.untimed += 1;
  try {
    return await work();
  } finally {
    moveDeadline(scope);
    scope.untimed -= 1;
  }
}

/** By as long as its time stood still since the last look. */
function moveDeadline(scope: Scope): void {
  const now = performance.now();
  if (scope.untimed > 0) scope.deadline += now - scope.stillSince;
  scope.stillSince = now;
}

/** How many milliseconds are left, as its own time goes. */
const timeLeft = ({ deadline, untimed: standing, stillSince }: Scope): number =>
  deadline - (standing > 0 ? stillSince : performance.now());

/** Something was committed for the request past its own transactions. */
export function noteSaved(): void {
  const scope = scopes.getStore();
  if (scope) scope.saved = true;
}

/** For the service's own work that a request gives rise to, and does not wait for. */
export const apartFromRequests = <T>(work: () => T): T => scopes.exit(work);

/** It has no time left to begin anything. What is being saved is never late: half of it would be of no use. */
export const isLate = (scope: Scope | undefined): boolean =>
  scope !== undefined && scope.transactions === 0 && timeLeft(scope) < 0;

/** What others wait for as well, for as long as whoever asks has time and is there. The work goes on without them. */
export function patiently<T>(answer: Promise<T>): Promise<T> {
  const scope = scopes.getStore();
  if (scope === undefined || scope.transactions > 0) return answer;
  const { signal } = scope;
  const left = timeLeft(scope);
  return new Promise((resolve, reject) => {
    const onAbort = () => settle(() => reject(signal?.reason));
    const onLate = () => settle(() => reject(tookTooLong()));
    const timer = Number.isFinite(left) ? setTimeout(onLate, Math.max(0, Math.ceil(left) + 1)).unref() : undefined;
    const settle = (how: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      how();
    };
    answer.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}

const MEBIBYTE = 1024 * 1024;

/** What one statement may bring, in bytes of its rows. */
export const MOST_RESULT_BYTES = 32 * MEBIBYTE;
/** Held at once for one organization, and for all: rows, and answers that were not read yet. */
const MOST_HELD = { share: 128 * MEBIBYTE, all: 384 * MEBIBYTE } as const;
/** Less than this is not counted: how many requests run at once bounds it. */
export const UNCOUNTED_BYTES = 256 * 1024;

const held = new Map<string, number>();
let heldByAll = 0;

export const heldBytes = (): number => heldByAll;

/** Counts bytes against a share until `release`; refuses what is past it. */
export function hold(scope: Scope, bytes: number): Failure | undefined {
  const mine = (held.get(scope.share) ?? 0) + bytes;
  if (mine > MOST_HELD.share || heldByAll + bytes > MOST_HELD.all) return busy();
  held.set(scope.share, mine);
  heldByAll += bytes;
  scope.held += bytes;
  return undefined;
}

export function release(scope: Scope): void {
  const { share, held: bytes } = scope;
  if (bytes === 0) return;
  scope.held = 0;
  heldByAll -= bytes;
  const left = (held.get(share) ?? bytes) - bytes;
  if (left > 0) held.set(share, left);
  else held.delete(share);
}

const RETRY_SECONDS = 5;

export const busy = (): Failure =>
  new Failure("too_much_at_once", {
    with: { seconds: RETRY_SECONDS },
    headers: { "retry-after": String(RETRY_SECONDS) },
  });

export const tooManyStreams = (max: number): Failure =>
  new Failure("too_many_streams", { with: { max }, headers: { "retry-after": String(RETRY_SECONDS) } });

/** Of one process, whoever has them. */
export const streamsTaken = (): Failure =>
  new Failure("streams_taken", { with: { seconds: RETRY_SECONDS }, headers: { "retry-after": String(RETRY_SECONDS) } });

/** Whoever asks again finds the service that comes after this one. */
export const stopping = (): Failure => new Failure("not_ready");

export const tookTooLong = (): Failure => new Failure("took_too_long");

export const resultTooLarge = (): Failure =>
  new Failure("result_too_large", { with: { limit: `${MOST_RESULT_BYTES / MEBIBYTE} MiB` } });

export const clientGone = (): Failure => new Failure("client_gone");
