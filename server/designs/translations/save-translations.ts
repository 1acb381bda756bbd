// Takes a language and its labels as somebody wants them, null where one is not to be translated any more; saves what differs by the
// ordinary way of saving records. Call within a transaction.
import { grantWrite } from "../../access/grant.ts";
import { sql } from "../../database/sql.ts";
import { oneLine } from "../../fields/columns/plain-text.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { planSave, type SentRecord } from "../../plan/plan-write.ts";
import type { Work } from "../../records/hooks.ts";
import { deleteRecord } from "../../records/save/delete-record.ts";
import { saveRecord } from "../../records/save/save-records.ts";

const TRANSLATIONS = "core/translations";

export async function saveTranslations(
  work: Work,
  language: string,
  asked: ReadonlyMap<string, string | null>,
): Promise<void> {
  // As both are stored.
  const wanted = new Map([...asked].map(([label, said]) => [oneLine(label), said === null ? null : oneLine(said)]));
  const type = requireType(work.snapshot, TRANSLATIONS);
  const rows = await work.transaction.rows(sql`
    select id::text as id, label, translation from core__translations
    where organization_id = ${work.caller.organizationId}::bigint and language = ${language} and deleted = 0
      and label = any(${[...wanted.keys()]}::text[])`);
  const stored = new Map(rows.map(({ id, label, translation }) => [label ?? "", { id: id ?? "", translation }]));
  const going = grantWrite(work.caller, type, "delete", work.hooks);
  for (const [label, translation] of wanted) {
    const known = stored.get(label);
    if (translation === null && known) await deleteRecord(work, going, known.id, { confirmed: true, override: false });
  }
  for (const operation of ["edit", "add"] as const) {
    const sent = [...wanted].flatMap(([label, translation]): SentRecord[] => {
      const known = stored.get(label);
      if (translation === null || known?.translation === translation || (known === undefined) !== (operation === "add"))
        return [];
      return known
        ? [{ id: known.id, sent: { translation } }]
        : [{ id: undefined, sent: { language, label, translation } }];
    });
    if (sent.length === 0) continue;
    const grant = grantWrite(work.caller, type, operation, work.hooks);
    // The first that is refused ends it.
    for (const one of sent) await saveRecord(work, { grant, operation }, planSave(work.snapshot, grant, one));
  }
}
