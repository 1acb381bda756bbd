// core/translations: an organization's own words for its labels. More than are ever read for a request are refused, not forgotten.
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { sql } from "../../database/sql.ts";
import { MOST_LABELS } from "../../labels/glossary.ts";
import type { RecordHooks } from "../../records/hooks.ts";

export const translationHooks: RecordHooks = {
  administratorsOnly: true,
  // They are read with the caller.
  changesAccess: "callers",
  follow: async ({ transaction, caller }, { operation }) => {
    if (operation !== "add" && operation !== "restore") return;
    const row = await transaction.row(sql`
      select (count(*) > ${MOST_LABELS}::integer)::text as over from core__translations
      where organization_id = ${caller.organizationId}::bigint and deleted = 0`);
    if (row?.over === "true")
      throw new Failure("conflict", { with: { reason: say("too_many_translations", { max: MOST_LABELS }) } });
  },
};
