// Every way in which a call can fail: one table (stage, status, words) and the one class that carries an entry of it.
// The words are for people: they say what happened and what to do; they never carry internals.

interface FailureKind {
  readonly stage: "request" | "session" | "access" | "plan" | "record" | "database" | "service";
  readonly status: number;
  readonly message: string;
}

export const failures = {
  malformed_body: { stage: "request", status: 400, message: "The request body could not be read: {reason}" },
  malformed_path: { stage: "request", status: 400, message: "The address could not be read: {reason}" },
  malformed_parameter: { stage: "request", status: 400, message: "{name}: {reason}" },
  too_many_keys: { stage: "request", status: 400, message: "The request has more than {limit} keys" },
  too_deep: { stage: "request", status: 400, message: "The request is nested deeper than {limit} levels" },
  malformed_rpc: { stage: "request", status: 400, message: "The JSON-RPC call could not be read: {reason}" },
  wrong_method: { stage: "request", status: 405, message: "{operation} is not called by {method}; use {allowed}" },
  too_large: { stage: "request", status: 413, message: "The request is larger than {limit}" },
  result_too_large: {
    stage: "database",
    status: 413,
    message: "The result is larger than {limit}: ask for fewer columns or fewer rows, or use export",
  },
  took_too_long: {
    stage: "database",
    status: 503,
    message: "This took too long and was stopped: use fewer conditions or columns, or export it",
  },
  too_much_at_once: {
    stage: "service",
    status: 429,
    message: "Your organization has too many requests in progress; try again in {seconds} s",
  },
  client_gone: { stage: "request", status: 499, message: "The client closed the connection" },
  headers_too_large: {
    stage: "request",
    status: 431,
    message: "The address and headers are larger than {limit}; send long parameters in the body of a POST",
  },
  range_not_satisfiable: { stage: "request", status: 416, message: "The file has {size} bytes; ask for some of them" },
  wrong_media_type: {
    stage: "request",
    status: 415,
    message: "Send multipart/form-data, application/x-www-form-urlencoded or application/json, not {type}",
  },
  login_required: { stage: "session", status: 401, message: "Client need to login to access this URL" },
  login_failed: { stage: "session", status: 401, message: "Incorrect user name or password" },
  otp_required: { stage: "session", status: 401, message: "Send the code of your authenticator as well (otp)" },
  token_refused: { stage: "session", status: 401, message: "The refresh token is not valid any more; log in again" },
  cookie_refused: {
    stage: "session",
    status: 403,
    message: "This call needs its token in the Authorization header, not in a cookie",
  },
  too_many_requests: { stage: "session", status: 429, message: "Too many requests; try again in {seconds} s" },
  too_many_attempts: { stage: "session", status: 429, message: "Too many attempts; try again in {seconds} s" },
  read_only_key: { stage: "session", status: 403, message: "This API key may only read" },
  signup_closed: {
    stage: "access",
    status: 403,
    message: "People cannot sign up here by themselves; ask for an invitation",
  },
  operation_forbidden: { stage: "access", status: 403, message: "You may not {operation} {type}" },
  designer_required: {
    stage: "access",
    status: 403,
    message: "Record types are designed by the administrators of the organisation that runs this service",
  },
  form_designer_required: {
    stage: "access",
    status: 403,
    message: "You don't have permission to design forms for {type}. Ask an administrator for the design permission",
  },
  unknown_module: { stage: "plan", status: 404, message: "There is no module {module}" },
  unknown_controller: { stage: "plan", status: 404, message: "There is no record type {type}" },
  unknown_operation: { stage: "plan", status: 404, message: "{type} has no operation {operation}" },
  unknown_address: { stage: "plan", status: 404, message: "There is nothing at this address" },
  record_not_found: { stage: "record", status: 404, message: "There is no such record of {type}" },
  invalid: { stage: "record", status: 422, message: "Some fields need your attention" },
  unknown_action: { stage: "record", status: 422, message: "Send exactly one action; possible now: {actions}" },
  bulk_refused: { stage: "record", status: 422, message: "Nothing was changed: {reason}" },
  stage_moved: {
    stage: "record",
    status: 409,
    message: "This record is in the stage {stage} now, not in the one that was named; possible now: {actions}",
  },
  transition_forbidden: {
    stage: "record",
    status: 403,
    message: "You don't have permission to take {action}: it is up to {actors}; possible for you now: {actions}",
  },
  condition_unmet: {
    stage: "record",
    status: 422,
    message: "{action} is possible only when {condition}; possible now: {actions}",
  },
  conflict: { stage: "record", status: 409, message: "{reason}" },
  possible_duplicate: {
    stage: "record",
    status: 409,
    message: "There may already be such a {type}: {names}. Send override_duplicates=1 to save it all the same",
  },
  not_confirmed: {
    stage: "record",
    status: 409,
    message: "Nothing was {done} yet: send is_confirm=1 to confirm it",
  },
  administrator_required: {
    stage: "access",
    status: 403,
    message: "Only administrators may {operation} {type}",
  },
  definition_refused: { stage: "record", status: 422, message: "The record type cannot be saved: {reason}" },
  not_ready: { stage: "service", status: 503, message: "The service is not ready yet; try again in a moment" },
  database_unavailable: {
    stage: "database",
    status: 503,
    message: "The database cannot be reached just now; nothing was changed, try again in a moment",
  },
  outcome_unknown: {
    stage: "database",
    status: 503,
    message:
      "The database was lost at the last moment: this may have been saved. Look before you send it again, or send it with an Idempotency-Key",
  },
  disk_full: {
    stage: "service",
    status: 503,
    message:
      "The service has run out of disk space; nothing was saved. Ask its operator to free some space, then try again",
  },
  metrics_forbidden: {
    stage: "access",
    status: 403,
    message:
      "Metrics are served to this machine alone; set METRICS_TOKEN and send it as a bearer token to read them from elsewhere",
  },
  internal: {
    stage: "service",
    status: 500,
    message: "Something went wrong on our side; tell your administrator the request id {request_id}",
  },
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof failures;

export interface FailureDetail {
  /** Values for the {placeholders} of the message. */
  readonly with?: Readonly<Record<string, string | number>>;
  /** More sentences for `errors`, after the failure's own. */
  readonly errors?: readonly string[];
  /** `<controller>.<field>` → sentences. */
  readonly byField?: Readonly<Record<string, readonly string[]>>;
  /** Sentences for `message`, where the contract asks for some. */
  readonly message?: readonly string[];
  /** Further keys of the response, such as what was sent. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

export class Failure extends Error {
  readonly code: FailureCode;
  readonly status: number;
  readonly detail: FailureDetail;

  constructor(code: FailureCode, detail: FailureDetail = {}) {
    const kind = failures[code];
    super(
      kind.message.replace(/\{(\w+)\}/g, (whole, name: string) => String(detail.with?.[name] ?? whole)),
      detail.cause === undefined ? undefined : { cause: detail.cause },
    );
    this.name = "Failure";
    this.code = code;
    this.status = kind.status;
    this.detail = detail;
  }
}
