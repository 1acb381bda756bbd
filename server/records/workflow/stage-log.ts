// Writes and reads the log of a record's path through its workflow: one entry per start, transition and vote, in the
// transaction of the save it belongs to.
import type { Actor } from "../../access/acl.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { RecordTypeKey } from "../../metadata/record-type.ts";
import type { LogEntry } from "../../workflow/stage-log.ts";

const actorsOf = (text: string | null | undefined): Actor[] =>
  // Written by the workflow alone.
  (text ?? "").split(" ").filter(Boolean) as Actor[];

/** Who has agreed since the record came to the stage where it is. */
export async function readAgreed(
  db: Queryable,
  organizationId: string,
  type: RecordTypeKey,
  id: string,
): Promise<readonly Actor[]> {
  return (await readAllAgreed(db, organizationId, type, [id])).get(id) ?? [];
}

/** Of many records, by id; where nobody has agreed yet there is no entry. */
export async function readAllAgreed(
  db: Queryable,
  organizationId: string,
  type: RecordTypeKey,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Actor[]>> {
  if (ids.length === 0) return new Map();
  const org = sql`${organizationId}::bigint`;
  const rows = await db.rows(sql`
    select v.related_id as id, v.settled from core__stage_log v
    where v.organization_id = ${org} and v.related_type = ${type} and v.related_id = any(${ids}::text[]) and v.step = 'vote'
      and v.id > (select max(m.id) from core__stage_log m
        where m.organization_id = ${org} and m.related_type = ${type} and m.related_id = v.related_id and m.step <> 'vote')
    order by v.id`);
  const agreed = new Map<string, Actor[]>();
  for (const { id, settled } of rows) {
    const known = agreed.get(id ?? "") ?? [];
    agreed.set(id ?? "", [...new Set([...known, ...actorsOf(settled)])]);
  }
  return agreed;
}

/** A record that a transition created. */
export interface MadeRecord {
  readonly key: RecordTypeKey;
  readonly id: string;
}

/** `crm/companies:12 crm/peoples:7`. */
export const madeText = (made: readonly MadeRecord[]): string | null =>
  made.length === 0 ? null : made.map(({ key, id }) => `${key}:${id}`).join(" ");

export const madeOf = (text: string | null | undefined): MadeRecord[] =>
  (text ?? "").split(" ").flatMap((part) => {
    const [key, id] = part.split(":");
    return key !== undefined && id !== undefined ? [{ key, id }] : [];
  });

export interface LoggedStep extends LogEntry {
  readonly id: string;
  readonly kind: string | null;
  readonly action: string | null;
  readonly label: string | null;
  readonly comment: string | null;
  readonly createdBy: string | null;
}

/** All of it, oldest first. */
export async function readStageLog(
  db: Queryable,
  organizationId: string,
  type: RecordTypeKey,
  id: string,
): Promise<LoggedStep[]> {
  const rows = await db.rows(sql`
    select id, step, kind, action_name, label, from_stage, to_stage, version, comment, settled, created::text as created, created_by
    from core__stage_log
    where organization_id = ${organizationId}::bigint and related_type = ${type} and related_id = ${id} and deleted = 0
    order by id`);
  return rows.map((row) => ({
    id: row.id ?? "",
    step: row.step === "start" ? "start" : row.step === "vote" ? "vote" : "move",
    kind: row.kind ?? null,
    action: row.action_name ?? null,
    label: row.label ?? null,
    from: row.from_stage ?? null,
    to: row.to_stage ?? "",
    version: row.version ?? "",
    comment: row.comment ?? null,
    settled: actorsOf(row.settled),
    created: row.created ?? "",
    createdBy: row.created_by ?? null,
  }));
}
