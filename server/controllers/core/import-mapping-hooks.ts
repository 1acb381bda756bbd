// Saved mappings: kept by those who may import into the record type. Whoever changes one of somebody else keeps what it says about
// fields that they may not see; its owner replaces it. Nobody brings names into it that they do not see.
import { Failure } from "../../../contract/failures.ts";
import { about, say, verb } from "../../../contract/messages.ts";
import { mayOperate } from "../../access/matrix.ts";
import { jsonbText } from "../../fields/columns/jsonb-text.ts";
import { unseenName, withUnseen } from "../../imports/saved-settings.ts";
import type { RecordHooks } from "../../records/hooks.ts";
import { shown } from "../../request/tree.ts";

export const importMappingHooks: RecordHooks = {
  carry: ({ snapshot, caller }, before, after) => {
    const type = snapshot.types.get(before.controller ?? "");
    if (!type || before.settings === after.settings || before.owned_by === caller.userId) return {};
    return { settings: withUnseen({ snapshot, type, caller }, before.settings ?? null, after.settings ?? null) };
  },
  check: async ({ snapshot, caller }, { type: own, operation, before, after, sent }) => {
    if ((operation !== "add" && operation !== "edit") || !after) return {};
    const key = after.controller ?? "";
    // Where another type has fields of the same names, what is said about hidden ones would be told.
    if (before && before.controller !== key) {
      return { controller: [say("not_editable", { field: own.field.get("controller")?.label ?? "controller" })] };
    }
    // By the name that an import looks for: under another one nobody would find it.
    const type = snapshot.types.get(key);
    if (!type) return { controller: [new Failure("unknown_controller", { with: { type: key } }).said] };
    if (!mayOperate(caller, type, "import")) {
      const { said } = new Failure("operation_forbidden", { with: { operation: verb("import"), type: type.plural } });
      return { controller: [said] };
    }
    const label = own.field.get("settings")?.label ?? "settings";
    const unseen = unseenName({ snapshot, type, caller }, sent?.get("settings")?.[0] ?? "");
    if (unseen !== undefined) return { settings: [say("mapping_field_unseen", { field: label, name: shown(unseen) })] };
    // What was carried over counts as well.
    const kept = jsonbText(after.settings ?? "{}");
    return "fault" in kept ? { settings: [about(label, kept.fault)] } : {};
  },
};
