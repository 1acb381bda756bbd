// Takes an organization; gives what it has translated itself (`core/translations`). Read once for all of its people, and again when
// somebody has changed it: `version` comes with the statement that reads a person.
import type { Language } from "../../contract/texts/languages.ts";
import { languageOf } from "../../contract/texts/write.ts";
import type { Queryable } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { Recent } from "../lib/memory/recent.ts";
import type { Glossary } from "./localize.ts";

const MAX_KEPT = 50;
/** More than all labels of a large organization in every language. */
export const MOST_LABELS = 5_000;

/** By database and organization. */
const kept = new WeakMap<Queryable["apart"], Map<string, Glossary>>();

/** Null where nothing is translated. */
export const glossaryVersion = (org: Sql): Sql => sql`
  (select count(*) || ' ' || sum(revision) || ' ' || max(modified) from core__translations
    where organization_id = ${org} and deleted = 0 having count(*) > 0)`;

export async function readGlossary(
  db: Queryable,
  organizationId: string,
  version: string | null | undefined,
): Promise<Glossary | undefined> {
  if (version == null) return undefined;
  const byOrganization = kept.get(db.apart) ?? new Recent(MAX_KEPT);
  kept.set(db.apart, byOrganization);
  const known = byOrganization.get(organizationId);
  if (known?.version === version) return known;
  const rows = await db.rows(sql`
    select language, label, translation from core__translations
    where organization_id = ${organizationId}::bigint and deleted = 0 order by id limit ${MOST_LABELS}::integer`);
  const labels = new Map<Language, Map<string, string>>();
  for (const { language, label, translation } of rows) {
    const code = languageOf(language);
    if (code === undefined || label == null || translation == null) continue;
    labels.set(code, (labels.get(code) ?? new Map<string, string>()).set(label, translation));
  }
  const glossary = { version, labels };
  byOrganization.set(organizationId, glossary);
  return glossary;
}
