// Takes an organization; gives the translations of its own as documents of its design.
import { languages } from "../../../contract/texts/languages.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { DesignItem, Json } from "../design.ts";

const there = { id: undefined, natural: undefined, isShipped: false, isDeleted: false } as const;

/** One document for each language of the service that the organization has words of its own in. */
export async function readTranslations(db: Queryable, organizationId: string): Promise<(DesignItem & typeof there)[]> {
  const rows = await db.rows(sql`
    select language, json_agg(json_build_object('label', label, 'translation', translation) order by label collate "C")::text as labels
    from core__translations
    where organization_id = ${organizationId}::bigint and deleted = 0 and label is not null and translation is not null
      and language = any(${languages}::text[])
    group by language order by language`);
  return rows.map(({ language, labels }) => ({
    kind: "translations",
    key: language ?? "",
    content: { language: language ?? "", labels: JSON.parse(labels ?? "[]") as Json },
    ...there,
  }));
}
