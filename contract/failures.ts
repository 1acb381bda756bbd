// Every way in which a call can fail: one table (stage, status) and the one class that carries an entry of it.
// The words are in texts/, by language: they say what happened and what to do; they never carry internals.
import type { Message, MessagesByField, ParamsOf } from "./messages.ts";
import { write } from "./texts/write.ts";

interface FailureKind {
  readonly stage: "request" | "session" | "access" | "plan" | "record" | "database" | "service";
  readonly status: number;
}

export const failures = {
  malformed_body: { stage: "request", status: 400 },
  malformed_path: { stage: "request", status: 400 },
  malformed_parameter: { stage: "request", status: 400 },
  too_many_keys: { stage: "request", status: 400 },
  too_deep: { stage: "request", status: 400 },
  malformed_rpc: { stage: "request", status: 400 },
  wrong_method: { stage: "request", status: 405 },
  too_large: { stage: "request", status: 413 },
  result_too_large: { stage: "database", status: 413 },
  record_too_large: { stage: "database", status: 422 },
  took_too_long: { stage: "database", status: 503 },
  too_much_at_once: { stage: "service", status: 429 },
  too_many_streams: { stage: "service", status: 429 },
  streams_taken: { stage: "service", status: 429 },
  client_gone: { stage: "request", status: 499 },
  headers_too_large: { stage: "request", status: 431 },
  range_not_satisfiable: { stage: "request", status: 416 },
  wrong_media_type: { stage: "request", status: 415 },
  login_required: { stage: "session", status: 401 },
  login_failed: { stage: "session", status: 401 },
  otp_required: { stage: "session", status: 401 },
  token_refused: { stage: "session", status: 401 },
  cookie_refused: { stage: "session", status: 403 },
  too_many_requests: { stage: "session", status: 429 },
  too_many_attempts: { stage: "session", status: 429 },
  read_only_key: { stage: "session", status: 403 },
  key_address_refused: { stage: "session", status: 403 },
  key_required: { stage: "session", status: 403 },
  key_limited: { stage: "access", status: 403 },
  signup_closed: { stage: "access", status: 403 },
  operation_forbidden: { stage: "access", status: 403 },
  designer_required: { stage: "access", status: 403 },
  operator_required: { stage: "access", status: 403 },
  form_designer_required: { stage: "access", status: 403 },
  unknown_module: { stage: "plan", status: 404 },
  unknown_controller: { stage: "plan", status: 404 },
  unknown_operation: { stage: "plan", status: 404 },
  unknown_address: { stage: "plan", status: 404 },
  unknown_feed: { stage: "plan", status: 404 },
  record_not_found: { stage: "record", status: 404 },
  invalid: { stage: "record", status: 422 },
  unknown_action: { stage: "record", status: 422 },
  bulk_refused: { stage: "record", status: 422 },
  unreadable_file: { stage: "record", status: 422 },
  stage_moved: { stage: "record", status: 409 },
  transition_forbidden: { stage: "record", status: 403 },
  condition_unmet: { stage: "record", status: 422 },
  conflict: { stage: "record", status: 409 },
  possible_duplicate: { stage: "record", status: 409 },
  not_confirmed: { stage: "record", status: 409 },
  newer_version: { stage: "record", status: 409 },
  administrator_required: { stage: "access", status: 403 },
  definition_refused: { stage: "record", status: 422 },
  design_refused: { stage: "record", status: 422 },
  not_ready: { stage: "service", status: 503 },
  database_unavailable: { stage: "database", status: 503 },
  outcome_unknown: { stage: "database", status: 503 },
  changes_forgotten: { stage: "record", status: 410 },
  disk_full: { stage: "service", status: 503 },
  backup_running: { stage: "service", status: 503 },
  metrics_forbidden: { stage: "access", status: 403 },
  internal: { stage: "service", status: 500 },
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof failures;

/** What a failure can carry beside its parameters. */
export interface FailureExtras {
  /** More sentences for `errors`, after the failure's own. */
  readonly errors?: readonly Message[];
  readonly byField?: MessagesByField;
  /** Sentences for `message`, where the contract asks for some. */
  readonly message?: readonly Message[];
  /** Further keys of the response, such as what was sent. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

export type FailureDetail<Code extends FailureCode = FailureCode> = FailureExtras &
  (keyof ParamsOf<Code> extends never
    ? { readonly with?: undefined }
    : { /** What stands in the sentence. */ readonly with: ParamsOf<Code> });

type Given<Code extends FailureCode> = keyof ParamsOf<Code> extends never
  ? [detail?: FailureDetail<Code>]
  : [detail: FailureDetail<Code>];

/** `Code` only ties the parameters to the code. */
export class Failure<Code extends FailureCode = FailureCode> extends Error {
  readonly code: FailureCode;
  readonly status: number;
  /** The failure's own sentence. */
  readonly said: Message;
  readonly detail: FailureExtras;

  constructor(code: Code, ...[detail]: Given<Code>) {
    const { with: params = {}, ...extras }: FailureExtras & { with?: object | undefined } = detail ?? {};
    const said = { code, params } as Message; // as its type says
    // For logs and those who read code; whoever called gets it in their own language.
    super(write(said, "en"), extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = "Failure";
    this.code = code;
    this.status = failures[code].status;
    this.said = said;
    this.detail = extras;
  }

  /** The same failure, with more in its response. */
  with(more: FailureExtras): Failure {
    const detail = { ...this.detail, ...more, with: this.said.params };
    return new Failure(this.code, detail as FailureDetail);
  }
}
