// Takes an address; gives the operation behind it and the record type that it is about, or what of it is unknown.
import type { RecordType, RecordTypeKey } from "../metadata/record-type.ts";
import { findType, type Snapshot } from "../metadata/snapshot.ts";
import type { Operation } from "./operation.ts";

/** Operations by name. */
export type OperationTable = Readonly<Record<string, Operation>>;

export interface FoundOperation {
  readonly operation: Operation;
  readonly type?: RecordType;
}

export type UnknownPart = "unknown_module" | "unknown_controller" | "unknown_operation";

/** A controller's own operations come first, then those that every record type has. */
export function operationFinder(
  ofEveryType: OperationTable,
  ownOf: Readonly<Record<RecordTypeKey, OperationTable>>,
): (snapshot: Snapshot, module: string, controller: string, operation: string) => FoundOperation | UnknownPart {
  const modules = new Set(Object.keys(ownOf).map((key) => key.split("/")[0]));
  const own = (table: OperationTable | undefined, name: string): Operation | undefined =>
    table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
  return (snapshot, module, controller, name) => {
    const key = `${module}/${controller}`;
    const type = findType(snapshot, key);
    const known = type?.key ?? key;
    const ownTable = Object.hasOwn(ownOf, known) ? ownOf[known] : undefined;
    const operation = own(ownTable, name) ?? (type && own(ofEveryType, name));
    if (operation) return type ? { operation, type } : { operation };
    if (type || ownTable) return "unknown_operation";
    return snapshot.modules.has(module) || modules.has(module) ? "unknown_controller" : "unknown_module";
  };
}
