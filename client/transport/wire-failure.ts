// What a call can end in other than its answer: the service refused (WireFailure) or could not be reached (Unreachable).
import type { Envelope } from "../../contract/envelope.ts";
import type { FailureCode } from "../../contract/failures.ts";
import { isMessage, type MessageCode } from "../../contract/messages.ts";

export class WireFailure extends Error {
  readonly status: number;
  readonly code: FailureCode | undefined;
  /** Why, where the failure has one reason. */
  readonly reason: MessageCode | undefined;
  /** Sentences for people, in the order of the service. */
  readonly errors: readonly string[];
  readonly byField: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | undefined;
  /** Seconds, where the service asks to wait. */
  readonly retryAfter: number | undefined;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, envelope: Partial<Envelope>, headers: Headers) {
    const errors = Array.isArray(envelope.errors) ? envelope.errors : [];
    super(errors[0] ?? `The service answered ${status}`);
    this.name = "WireFailure";
    this.status = status;
    this.code = envelope.error_code;
    const reason = envelope.error_params?.reason;
    this.reason = isMessage(reason) ? reason.code : undefined;
    this.errors = errors;
    this.byField = envelope.errors_by_field ?? {};
    this.requestId = envelope.request_id ?? headers.get("x-request-id") ?? undefined;
    this.retryAfter = readRetryAfter(headers.get("retry-after"));
    this.body = { ...envelope };
  }
}

/** No answer at all, or an answer that is not the service's. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The service cannot be reached", { cause });
    this.name = "Unreachable";
  }
}

/** Nobody can tell whether what was sent was also done. */
export const isOutcomeUnknown = (error: Error): boolean =>
  error instanceof WireFailure
    ? error.code === "outcome_unknown" || (error.code === undefined && error.status >= 500)
    : error instanceof Unreachable;

/** All that the service said; of anything else, what it says of itself. */
export const reasonsOf = (error: Error): readonly string[] =>
  error instanceof WireFailure && error.errors.length > 0 ? error.errors : [error.message];

/** Takes a Retry-After header, in seconds or as a date; gives whole seconds from now. */
export function readRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  const instant = Date.parse(header);
  return Number.isNaN(instant) ? undefined : Math.max(0, Math.ceil((instant - now) / 1000));
}
