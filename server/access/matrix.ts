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
  if (refusalOf(type, operation) !== undefined) return false;
  if (type.appendOnly && ["edit", "delete", "bulk", "import"].includes(operation)) return false;
  if (caller.isAdministrator) return true;
  // What is attached to a record is looked at and written by whoever may do so with the record; that is asked there.
  if (type.follows !== undefined && ofTheRecord.has(operation)) return true;
  return allowed(caller, type.key, operation);
}

/** Why nobody does it to records of this type, whoever asks. */
function refusalOf({ refuses }: RecordType, operation: MatrixOperation): string | undefined {
  if (operation === "add" || operation === "edit" || operation === "delete") return refuses[operation];
  if (operation === "import") return refuses.add;
  return operation === "bulk" && refuses.edit !== undefined && refuses.delete !== undefined ? refuses.add : undefined;
}

const ofTheRecord: ReadonlySet<MatrixOperation> = new Set(["index", "view", "add", "edit", "delete"]);

const allowed = (caller: Caller, key: string, operation: MatrixOperation): boolean =>
  caller.roles.some((role) => (role.operations.get(key) ?? role.operations.get("*"))?.has(operation) ?? false);

/**
 * Who lays out forms for a record type, and with that decides who sees which of its fields: administrators, and roles with
 * `design` in the matrix. The definition of the type itself is shared by all organizations and is the operator's.
 */
export const mayDesignForms = (caller: Caller, key: string): boolean =>
  caller.isAdministrator || allowed(caller, key, "design");

/** Whether the roles let a caller look at records of that type at all: what is attached to them is only then there for it. */
export const mayLook = (caller: Caller, key: string): boolean =>
  caller.isAdministrator || allowed(caller, key, "view") || allowed(caller, key, "index");

/** The types that `mayLook` is not the same for as for all the rest, and what it is for the rest. */
export function looks(caller: Caller): { readonly rest: boolean; readonly except: readonly string[] } {
  const named = new Set(caller.roles.flatMap((role) => [...role.operations.keys()]));
  const rest = mayLook(caller, "*");
  return { rest, except: [...named].filter((key) => key !== "*" && mayLook(caller, key) !== rest).sort() };
}

/** Administrators see and change every record of their organisation, except where a type is its owners' own. */
export const passesSets = (caller: Caller, type: RecordType): boolean => caller.isAdministrator && !type.confidential;

/** The types whose records hold back what is about them: there administrators do not pass the sets either. */
export const heldBack = (type: RecordType): ReadonlySet<string> => type.about?.confidential ?? nothing;
const nothing: ReadonlySet<string> = new Set();

export function authorize(caller: Caller, type: RecordType, operation: MatrixOperation): void {
  if (mayOperate(caller, type, operation)) return;
  if (operation === "design") throw new Failure("designer_required");
  const refusal = refusalOf(type, operation);
  if (refusal !== undefined) throw new Failure("conflict", { with: { reason: refusal } });
  if (operation === "bulk") {
    throw new Failure("operation_forbidden", {
      with: { operation: "make bulk changes to", type: type.key },
      errors: [
        `None of your roles permits bulk changes to ${type.plural.toLowerCase()}; an administrator can add that`,
      ],
    });
  }
  throw new Failure("operation_forbidden", { with: { operation, type: type.key } });
}

/** Whether it is the type that nobody (but the operator, of what all share) does it to, whatever their roles say. */
export const isReadOnly = (type: RecordType, operation: "add" | "edit"): boolean =>
  type.scope === "shared" || refusalOf(type, operation) !== undefined || (type.appendOnly && operation === "edit");

export const matrixOf = (caller: Caller, type: RecordType): Record<MatrixOperation, 0 | 1> =>
  Object.fromEntries(
    matrixOperations.map((operation) => [operation, mayOperate(caller, type, operation) ? 1 : 0]),
  ) as Record<MatrixOperation, 0 | 1>; // fromEntries forgets that every operation has its entry
