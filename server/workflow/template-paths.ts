// Which paths a message of a workflow may print: what no declaration hides, through references. Pure.
import { Failure } from "../../contract/failures.ts";
import { serviceCaller } from "../access/elevate.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { resolveColumn } from "../plan/column.ts";

/** Nobody sees more; whoever reads a message may see less. */
const designer = serviceCaller("0", "0", "check template");

export function isTemplatePath(snapshot: Snapshot, type: RecordType, path: string): boolean {
  try {
    resolveColumn({ snapshot, type, caller: designer, now: new Date(0) }, path);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
