// Which paths a message of a workflow may print: what no declaration hides, through references. Pure.
import { Failure } from "../../contract/failures.ts";
import type { Caller } from "../access/caller.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { resolveColumn } from "../plan/column.ts";

/** Nobody sees more; whoever reads a message may see less. */
const designer: Caller = {
  userId: "0",
  userName: "",
  fullName: "",
  organizationId: "0",
  organizationName: "",
  isOperator: false,
  isAdministrator: true,
  principals: [],
  roles: [],
  locale: "en-US",
  timeZone: "UTC",
  credential: { kind: "session", sessionId: "" },
};

export function isTemplatePath(snapshot: Snapshot, type: RecordType, path: string): boolean {
  try {
    resolveColumn({ snapshot, type, caller: designer, now: new Date(0) }, path);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
