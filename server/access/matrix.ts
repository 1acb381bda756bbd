// The role matrix: which operations a caller may use on a record type at all. Pure.
import { Failure } from "../../contract/failures.ts";
import { type MatrixOperation, matrixOperations } from "../../contract/permissions.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Caller } from "./caller.ts";

export function mayOperate(caller: Caller, type: RecordType, operation: MatrixOperation): boolean {
  if (operation === "design") return caller.isAdministrator && caller.isOperator;
  // What all organisations share is read by everybody and written by the operator alone.
  if (type.scope === "shared" && !["index", "view", "export"].includes(operation)) {
    return caller.isAdministrator && caller.isOperator;
  }
  if (caller.isAdministrator) return true;
  return caller.roles.some(
    (role) => (role.operations.get(type.key) ?? role.operations.get("*"))?.has(operation) ?? false,
  );
}

/** Administrators see and change every record of their organisation, except where a type is its owners' own. */
export const passesSets = (caller: Caller, type: RecordType): boolean => caller.isAdministrator && !type.confidential;

export function authorize(caller: Caller, type: RecordType, operation: MatrixOperation): void {
  if (mayOperate(caller, type, operation)) return;
  if (operation === "design") throw new Failure("designer_required");
  throw new Failure("operation_forbidden", { with: { operation, type: type.key } });
}

export const matrixOf = (caller: Caller, type: RecordType): Record<MatrixOperation, 0 | 1> =>
  Object.fromEntries(
    matrixOperations.map((operation) => [operation, mayOperate(caller, type, operation) ? 1 : 0]),
  ) as Record<MatrixOperation, 0 | 1>; // fromEntries forgets that every operation has its entry
