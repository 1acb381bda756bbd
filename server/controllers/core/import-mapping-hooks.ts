// Saved mappings: kept by those who may import into the record type.
import { Failure } from "../../../contract/failures.ts";
import { verb } from "../../../contract/messages.ts";
import { mayOperate } from "../../access/matrix.ts";
import type { RecordHooks } from "../../records/hooks.ts";

export const importMappingHooks: RecordHooks = {
  check: async ({ snapshot, caller }, { operation, after }) => {
    if ((operation !== "add" && operation !== "edit") || !after) return {};
    const key = after.controller ?? "";
    // By the name that an import looks for: under another one nobody would find it.
    const type = snapshot.types.get(key);
    if (!type) return { controller: [new Failure("unknown_controller", { with: { type: key } }).said] };
    if (!mayOperate(caller, type, "import")) {
      const { said } = new Failure("operation_forbidden", { with: { operation: verb("import"), type: type.plural } });
      return { controller: [said] };
    }
    return {};
  },
};
