// The role matrix for operations: what a caller may do on a record type at all, and the failure if not. The decision itself
// is in rule.ts. Pure.

import { Failure } from "../../contract/failures.ts";
import { say, verb } from "../../contract/messages.ts";
import { type MatrixOperation, matrixOperations } from "../../contract/permissions.ts";
import { refusalMessage } from "../metadata/kept-by-the-service.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Caller } from "./caller.ts";
import { fieldMask } from "./field-mask.ts";
import { limitsAllow } from "./keys/limits.ts";
import { isAllowedByRoles, isAmong, isPermitted, permitOf, type Roles, refusalOf, roleAllows } from "./rule.ts";

export { isPermitted as mayOperate, mayLook } from "./rule.ts";

/** Whether it knows more of these records than what stands for them elsewhere: id and display name. */
export const mayLookAt = (caller: Caller, type: RecordType): boolean =>
  isPermitted(caller, type, "index") || isPermitted(caller, type, "view");

/** Whether a value of a record that it may read may stand in another one. */
export const mayTakeOver = (caller: Caller, type: RecordType, field: string): boolean =>
  fieldMask(type, caller).visible.has(field) &&
  (field === "id" || field === type.displayField || mayLookAt(caller, type));

/**
 * Who lays out forms for a record type, and with that decides who sees which of its fields: administrators, and roles with
 * `design` in the matrix. The definition of the type itself is shared by all organizations and is the operator's.
 */
export const mayDesignForms = (caller: Caller, key: string): boolean =>
  (isAmong("administrators", caller) || roleAllows(caller, key, "design")) && limitsAllow(caller, key, "design");

/** Who sees how long the lists of everybody's views take. */
export const mayJudgeViews = (caller: Caller): boolean =>
  isAmong("administrators", caller) && caller.limits === undefined;

export function authorize(caller: Caller, type: RecordType, operation: MatrixOperation): void {
  if (isPermitted(caller, type, operation)) return;
  if (isAllowedByRoles(caller, type, operation)) throw new Failure("key_limited");
  if (operation === "design") throw new Failure("form_designer_required", { with: { type: type.plural } });
  const refusal = refusalOf(type, operation);
  if (refusal !== undefined) throw new Failure("conflict", { with: { reason: refusalMessage(refusal) } });
  if (operation === "bulk") {
    const errors = [say("bulk_role_missing", { type: type.nouns })];
    throw new Failure("operation_forbidden", { with: { operation: verb("bulk"), type: type.plural }, errors });
  }
  throw new Failure("operation_forbidden", { with: { operation: verb(operation), type: type.plural } });
}

/** Whether it is the type that nobody (but the operator, of what all share) does it to, whatever their roles say. */
export const isReadOnly = (type: RecordType, operation: "add" | "edit"): boolean =>
  type.scope === "shared" || refusalOf(type, operation) !== undefined || (type.appendOnly && operation === "edit");

export const matrixOf = (person: Roles, type: RecordType): Record<MatrixOperation, 0 | 1> =>
  Object.fromEntries(
    matrixOperations.map((operation) => [operation, isPermitted(person, type, operation) ? 1 : 0]),
  ) as Record<MatrixOperation, 0 | 1>; // fromEntries forgets that every operation has its entry

/** Who designs record types: they belong to the installation, so its operator's administrators do. */
export const mayDesign = ({ isAdministrator, isOperator, limits }: Caller): boolean =>
  isAdministrator && isOperator && limits === undefined;

const changing: ReadonlySet<MatrixOperation> = new Set(["add", "edit", "delete", "bulk", "import"]);

/** How a type is kept beside what roles say of it. */
export interface Keeping {
  /** Only administrators write its records. */
  readonly administratorsOnly: boolean;
  /** It is how the service is set up, not what people work with. */
  readonly isSetup: boolean;
}

/** What a role can be given on a type: whatever else its row says changes nothing. */
export const grantableOperations = (type: RecordType, { administratorsOnly }: Keeping): MatrixOperation[] =>
  matrixOperations.filter(
    (operation) =>
      permitOf(type, operation).byRole &&
      !(administratorsOnly && changing.has(operation)) &&
      !(operation === "comment" && !type.allowComments) &&
      !(operation === "design" && !type.takesForms),
  );

/** What a person may do with records of a type. */
export const operationsOf = (person: Roles, type: RecordType, { administratorsOnly }: Keeping): MatrixOperation[] =>
  matrixOperations.filter(
    (operation) =>
      isPermitted(person, type, operation) &&
      !(administratorsOnly && changing.has(operation) && !isAmong("administrators", person)),
  );

/**
 * Where a type belongs for this person: among the records that they work with, in administration, or (null) nowhere,
 * because they can only look at how others have set it up. What everybody keeps for themselves (views, feed links) is no administration.
 */
export function sectionOf(person: Roles, type: RecordType, keeping: Keeping): "work" | "administration" | null {
  if (!keeping.isSetup) return "work";
  const operations = operationsOf(person, type, keeping);
  const administers = isAmong("administrators", person)
    ? type.scope !== "shared" || operations.includes("edit")
    : !isOwn(type) && (operations.includes("add") || operations.includes("edit"));
  return administers ? "administration" : null;
}

const isOwn = ({ personalFlag, access }: RecordType): boolean =>
  personalFlag !== undefined || (access.read.length > 0 && access.read.every((who) => who === "owner"));
