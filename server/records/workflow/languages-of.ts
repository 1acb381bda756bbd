// Takes users to be notified; returns the language of each: their own, or else the organization's.
import { type Language, languageOf } from "../../../contract/texts/write.ts";
import { sql } from "../../database/sql.ts";
import type { Work } from "../hooks.ts";

export async function languagesOf(
  { transaction, caller }: Work,
  users: readonly string[],
): Promise<Map<string, Language>> {
  if (users.length === 0) return new Map();
  const rows = await transaction.rows(sql`
    select u.id::text as id, u.locale, o.locale as organization_locale from access_controls__users u
    join access_controls__organizations o on o.organization_id = ${caller.organizationId}::bigint and o.id = u.organization_id
    where u.organization_id = ${caller.organizationId}::bigint and u.id = any(${users}::bigint[])`);
  return new Map(
    rows.map((row) => [row.id ?? "", languageOf(row.locale) ?? languageOf(row.organization_locale) ?? "en"]),
  );
}
