// Takes a fetch; gives one that sends a call again where nothing was answered, or where the service asks to come again later.
// Only calls that change nothing, or that carry an Idempotency-Key, are sent again: they are done once, however often they arrive.
import { readRetryAfter } from "../transport/wire-failure.ts";

export interface Retry {
  /** From 1. */
  readonly attempt: number;
  /** What happened: a status of the service, or the error of the network. */
  readonly reason: number | unknown;
  readonly waitMs: number;
  readonly address: string;
}

export interface RetryPolicy {
  /** How often a call is sent again: 5 unless told, 0 for never. */
  readonly retries?: number;
  /** The first pause in milliseconds; each is twice as long as the one before, at most a minute. */
  readonly pauseMs?: number;
  /** Is told before each pause. */
  readonly onRetry?: (retry: Retry) => void;
}

const LONGEST_PAUSE_MS = 60_000;
/** Sent again, these come to the same. */
const lasting = new Set(["took_too_long", "disk_full"]);

/** Statuses of the service while it starts or is busy, and of what stands before it while it is away. */
const passing = new Set([429, 502, 503, 504]);

export const withRetries =
  (send: typeof fetch, { retries = 5, pauseMs = 500, onRetry }: RetryPolicy): typeof fetch =>
  async (input, init) => {
    const { signal } = init ?? {};
    const isSafe = (init?.method ?? "GET") === "GET" || new Headers(init?.headers).has("idempotency-key");
    for (let attempt = 1; ; attempt += 1) {
      let reason: unknown;
      let asked: number | undefined;
      try {
        const response = await whole(await send(input, init));
        if (!passing.has(response.status) || !isSafe || attempt > retries) return response;
        if (await isLasting(response)) return response;
        reason = response.status;
        asked = readRetryAfter(response.headers.get("retry-after"));
        await response.body?.cancel();
      } catch (error) {
        if (signal?.aborted || !isSafe || attempt > retries) throw error;
        reason = error;
      }
      const growing = pauseMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      const waitMs = Math.min(LONGEST_PAUSE_MS, Math.max(growing, (asked ?? 0) * 1000));
      onRetry?.({ attempt, reason, waitMs, address: String(input) });
      await pause(waitMs, signal ?? undefined);
    }
  };

/** An answer in JSON is there when all of it is; a file is read by whoever asked for it. */
async function whole(response: Response): Promise<Response> {
  if (!response.headers.get("content-type")?.includes("json")) return response;
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
}

async function isLasting(response: Response): Promise<boolean> {
  if (response.status !== 503) return false;
  try {
    const { error_code: code } = (await response.clone().json()) as { readonly error_code?: string };
    return code !== undefined && lasting.has(code);
  } catch {
    return false;
  }
}

/** Ends early, with the signal's own reason, where that is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
