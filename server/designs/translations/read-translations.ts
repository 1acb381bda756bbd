// Takes an organization; gives the translations of its own as documents of its design.
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Content, DesignItem } from "../design.ts";

const there = { id: undefined, natural: undefined, isShipped: false, isDeleted: false } as const;

/** One document for each language that the organization has words of its own in. */
export async function readTranslations(db: Queryable, organizationId: string): Promise<(DesignItem & typeof there)[]> {
  const rows = await db.rows(sql`
    select language, json_object_agg(label, translation order by label)::text as labels from core__translations
    where organization_id = ${organizationId}::bigint and deleted = 0 and label is not null and translation is not null
    group by language order by language`);
  return rows.map(({ language, labels }) => ({
    kind: "translations",
    key: language ?? "",
    content: { language: language ?? "", labels: JSON.parse(labels ?? "{}") as Content },
    ...there,
  }));
}
