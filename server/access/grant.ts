// What a caller is allowed to write: who, which record type, which operation, which fields. Created when a request or a job
// is admitted and passed down with the plan; code that holds one does not check again. The statement that locks the rows
// (query/lock-rows.ts) decides which of them it covers. Pure.

import { Failure } from "../../contract/failures.ts";
import { type Message, verb } from "../../contract/messages.ts";
import type { MatrixOperation } from "../../contract/permissions.ts";
import { refusalMessage } from "../metadata/kept-by-the-service.ts";
import type { RecordType, RecordTypeKey } from "../metadata/record-type.ts";
import { type Caller, keyOf } from "./caller.ts";
import { type FieldMask, fieldMask } from "./field-mask.ts";
import { limitsAllow } from "./keys/limits.ts";
import { authorize } from "./matrix.ts";

export type WriteOperation = "add" | "edit" | "delete" | "restore" | "purge";

/** What single record types ask of those who write them, beside the role matrix. */
export interface WriteRule {
  /** Only administrators write records of this type, whatever the matrix says. */
  readonly administratorsOnly?: boolean;
  /** Why programs with an API key do not write records of this type; undefined: they do. */
  readonly peopleOnly?: Message;
  /** Ways back that records of this type do not have, each with the sentence that says why; the rest is in its definition. */
  readonly refuses?: Readonly<Partial<Record<"restore" | "purge", string>>>;
}

export type WriteRules = Readonly<Record<RecordTypeKey, WriteRule>>;

declare const decided: unique symbol;

export interface Grant {
  readonly caller: Caller;
  readonly type: RecordType;
  readonly operation: WriteOperation;
  readonly fields: FieldMask;
  readonly rules: WriteRules;
  /** Only this file makes one. */
  readonly [decided]: true;
}

/** The column of the role matrix that an operation needs. */
const columnOf: Readonly<Record<WriteOperation, MatrixOperation>> = {
  add: "add",
  edit: "edit",
  delete: "delete",
  restore: "delete",
  purge: "delete",
};

/** For whoever comes from outside: the role matrix must allow it, then the type itself. */
export function grantWrite(caller: Caller, type: RecordType, operation: WriteOperation, rules: WriteRules): Grant {
  authorize(caller, type, columnOf[operation]);
  return grantWithin(caller, type, operation, rules);
}

/** Whether `grantWrite` would grant it. */
export function mayWrite(caller: Caller, type: RecordType, operation: WriteOperation, rules: WriteRules): boolean {
  try {
    grantWrite(caller, type, operation, rules);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** As `grantWrite`, of many records at once; `column`: in which way. */
export function grantBulk(
  caller: Caller,
  type: RecordType,
  operation: WriteOperation,
  rules: WriteRules,
  column: "bulk" | "import" = "bulk",
): Grant {
  authorize(caller, type, column);
  return grantWrite(caller, type, operation, rules);
}

/** What an operation needs of whoever calls it. */
export interface Needs {
  /** A column of the role matrix. */
  readonly matrix?: MatrixOperation | undefined;
  /** What it does to records. */
  readonly writes?: WriteOperation | undefined;
  /** What it gives and takes is within the caller's rights on each record type by itself. */
  readonly keepsLimits?: boolean | undefined;
}

/** Lets a caller in, or fails; gives what it was granted, where the operation writes records. */
export function admit(
  caller: Caller,
  type: RecordType | undefined,
  needs: Needs,
  rules: WriteRules,
): Grant | undefined {
  const asks = type !== undefined && (needs.matrix !== undefined || needs.writes !== undefined);
  // What does not say what it needs is not for keys that have not all: it might give more than they are for.
  if (caller.limits !== undefined && !asks && !needs.keepsLimits) throw new Failure("key_limited");
  if (type === undefined) return undefined;
  if (needs.matrix !== undefined) authorize(caller, type, needs.matrix);
  return needs.writes === undefined ? undefined : grantWrite(caller, type, needs.writes, rules);
}

/** For what is written of other types in the service's own name (effects of a workflow, shares): the limits of the key that it was called with hold there too. */
export function grantWithinLimits(
  caller: Caller,
  type: RecordType,
  operation: WriteOperation,
  rules: WriteRules,
): Grant {
  if (!limitsAllow(caller, type.key, columnOf[operation])) throw new Failure("key_limited");
  return grantWithin(caller, type, operation, rules);
}

/** For what is written along with something that was granted (children, shares): the type alone is asked. */
export function grantWithin(caller: Caller, type: RecordType, operation: WriteOperation, rules: WriteRules): Grant {
  const rule = rules[type.key] ?? {};
  const refusal =
    (operation === "restore" || operation === "purge" ? rule.refuses?.[operation] : type.refuses[operation]) ??
    (type.appendOnly && operation !== "add" ? "refuses_append_only" : undefined);
  if (refusal !== undefined) throw new Failure("conflict", { with: { reason: refusalMessage(refusal) } });
  if (rule.peopleOnly !== undefined && keyOf(caller) !== undefined) {
    throw new Failure("conflict", { with: { reason: rule.peopleOnly } });
  }
  if (rule.administratorsOnly && !caller.isAdministrator) {
    throw new Failure("operation_forbidden", { with: { operation: verb(operation), type: type.plural } });
  }
  // The mark is there for the compiler alone.
  return { caller, type, operation, fields: fieldMask(type, caller), rules } as Grant;
}
