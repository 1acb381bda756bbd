// Takes what the driver threw; gives a Failure where the cause is known to be the connection, the disk or the time limit, else
// the error itself.
import pg from "pg";
import { Failure } from "../../contract/failures.ts";

const lostConnection = /terminated|not queryable|timeout exceeded|ECONN|EPIPE|socket hang up/i;

/** Class 08 (connection), 57P01–57P05 (shutdown, crash recovery, starting up), 53300 (too many connections). */
const unavailableCode = /^(08|57P0|53300)/;

/** So Citus tells that a worker was lost within a transaction, under the code of any fault. */
const lostWorker = /^failure on connection marked as essential/u;

const tellsLostWorker = ({ code, message }: pg.DatabaseError): boolean => code === "XX000" && lostWorker.test(message);

const isUnavailable = (error: pg.DatabaseError): boolean =>
  unavailableCode.test(error.code ?? "") || tellsLostWorker(error);

/** Citus keeps connections to its workers, and finds out with the next statement that one ended. */
export const hasLostWorker = (error: unknown): boolean =>
  error instanceof Failure &&
  error.code === "database_unavailable" &&
  error.cause instanceof pg.DatabaseError &&
  tellsLostWorker(error.cause);

const DISK_FULL = "53100";
const CANCELLED = "57014";
/** Some limit of PostgreSQL's: also of what has nothing to do with a record, such as transaction ids that run out. */
const LIMIT_EXCEEDED = "54000";
/** Where PostgreSQL finds that a row, or an entry of an index, has no room on a page: the same in every language. */
const NO_ROOM_ON_PAGE = new Set([
  "RelationGetBufferForTuple",
  "raw_heap_insert",
  "_bt_check_third_page",
  "index_form_tuple_context",
  "index_form_tuple",
  "GinFormTuple",
  "gistSplit",
  "gistplacetopage",
]);
/** As one machine passes on what another said. */
const noRoomOnPage = /^(?:row is too big: size|index row (?:size|requires) \d)/u;

const isRecordTooLarge = ({ code, routine, message }: pg.DatabaseError): boolean =>
  code === LIMIT_EXCEEDED && (NO_ROOM_ON_PAGE.has(routine ?? "") || noRoomOnPage.test(message));

const TOO_MANY_COLUMNS = "54011";

/** The second: the socket of a PostgreSQL that is not there. */
const isLost = (words: string): boolean =>
  lostConnection.test(words) || (words.includes("ENOENT") && words.includes(".s.PGSQL"));

export function translateError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    if (error.code === DISK_FULL) return new Failure("disk_full", { cause: error });
    if (isRecordTooLarge(error)) return new Failure("record_too_large", { cause: error });
    if (error.code === CANCELLED) return new Failure("took_too_long", { cause: error });
    return isUnavailable(error) ? new Failure("database_unavailable", { cause: error }) : error;
  }
  if (error instanceof Error && isLost(`${error.message} ${"code" in error ? error.code : ""}`)) {
    return new Failure("database_unavailable", { cause: error });
  }
  return error;
}

/** A connection that is lost after the commit was asked for, or before its answer was read, leaves both possible. */
export const unknownOutcome = (error: unknown): unknown =>
  error instanceof Failure && error.code === "database_unavailable"
    ? new Failure("outcome_unknown", { cause: error.cause })
    : error;

/** What was written stays, but its answer could not be read: whoever was told that it failed would send it again. */
export const savedUntold = (error: unknown): unknown =>
  error instanceof Failure && (error.code === "took_too_long" || error.code === "too_much_at_once")
    ? new Failure("outcome_unknown", { cause: error.cause ?? error })
    : unknownOutcome(error);

/** The name of the constraint that a write ran into, by SQLSTATE. To be compared by `isConstraint` alone. */
export function violated(error: unknown, code: "23505" | "23503"): string | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== code) return undefined;
  // Of a distributed table, the message alone names it.
  return error.constraint ?? /(?:constraint|index) "([^"]{1,63})"/u.exec(error.message)?.[1] ?? "";
}

/** A part of a distributed table has constraints with its number behind the name; a long name is cut, and has a digest there too. */
export function isConstraint(found: string, name: string): boolean {
  if (found === name) return true;
  const [, begin = "", digest] = /^(.*?)(_[0-9a-f]{8})?_\d+$/u.exec(found) ?? [];
  return (
    begin === name ||
    `${begin}${digest ?? ""}` === name ||
    (digest !== undefined && begin.length > 30 && name.startsWith(begin))
  );
}

/** A table has as many columns as PostgreSQL allows; those that were dropped count. */
export const isTableFull = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === TOO_MANY_COLUMNS;

/** Another try may well succeed: two writers waited for each other, or the connection was lost. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Failure) return error.code === "database_unavailable" || error.code === "outcome_unknown";
  return error instanceof pg.DatabaseError && /^(40001|40P01|55P03)$/.test(error.code ?? "");
}

/** Somebody else had what was to be locked, for longer than it was waited for. */
export const isLockTimeout = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "55P03";

/** Two writers waited for each other, and this one was told to give way. */
export const isDeadlock = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "40P01";

/** It took longer than it was given. */
export const isGivenUp = (error: unknown): boolean =>
  error instanceof Failure
    ? error.code === "took_too_long"
    : error instanceof pg.DatabaseError && error.code === CANCELLED;

/** As far as can be told: a server that speaks another language says it in that. */
export const isTimedOut = (error: unknown): boolean => isGivenUp(error) && /statement timeout/u.test(String(error));

/** A prepared statement whose tables are not what they were: prepared anew, it runs. */
export const changedShape = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError && error.code === "0A000" && /result type/u.test(error.message);

/** Columns, tables or types are not what the statement takes them for: somebody changed the design meanwhile. */
export const outdatedDesign = (error: unknown): boolean =>
  changedShape(error) || (error instanceof pg.DatabaseError && /^42(703|883|P01|804|846)$/u.test(error.code ?? ""));
