// Saved mappings: kept by those who may import into the record type.
import { Failure } from "../../../contract/failures.ts";
import { verb } from "../../../contract/messages.ts";
import { mayOperate } from "../../access/matrix.ts";
import { findType } from "../../metadata/snapshot.ts";
import type { RecordHooks } from "../../records/hooks.ts";

export const importMappingHooks: RecordHooks = {
  check: async ({ snapshot, caller }, { operation, after }) => {
    if ((operation !== "add" && operation !== "edit") || !after) return {};
    const key = after.controller ?? "";
    const type = findType(snapshot, key);
    if (!type) return { controller: [new Failure("unknown_controller", { with: { type: key } }).said] };
    if (!mayOperate(caller, type, "import")) {
      const { said } = new Failure("operation_forbidden", { with: { operation: verb("import"), type: type.plural } });
      return { controller: [said] };
    }
    return {};
  },
};
