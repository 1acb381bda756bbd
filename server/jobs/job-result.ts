// What a job tells once it is over: how many records of each kind, the first failures, what was left alone, and what to do about it.
import { z } from "zod";
import { type Message, say } from "../../contract/messages.ts";
import { languageOf, writeAll } from "../../contract/texts/write.ts";
import type { Queryable } from "../database/database.ts";
import { ident, type Sql, sql } from "../database/sql.ts";
import { storedJson } from "../database/stored-json.ts";

const texts = z.array(z.string());

/** Among the counts of an undo: `removed` of its outcome. */
export const REMOVED = "field_removed";

/** What is kept after all chunks: a record that a later one let go of is not. Gives `record_type`, `record_id` and `reasons`. */
export const keptRecords = (organizationId: string, jobId: string): Sql => sql`
  select split_part(k.key, ' ', 1) as record_type, split_part(k.key, ' ', 2) as record_id, k.value as reasons, k.number
  from (
    select distinct on (e.key) e.key, e.value, c.number from core__job_chunks c, json_each_text(c.kept) e
    where c.organization_id = ${organizationId}::bigint and c.job_id = ${jobId}::bigint and c.kept is not null
    order by e.key, c.number desc) k
  where k.value is not null`;

/** How many of each a job's record tells without being asked for more. */
export const MOST_TOLD = 100;

/** What a finished job tells: the first failures, and what was left alone. */
export async function resultOf(db: Queryable, organizationId: string, jobId: string): Promise<object> {
  const first = (column: "failed" | "left_alone") => sql`
    select ${column}::text as kind, e.key, e.value::text as value from core__job_chunks c, json_each(c.${ident(column)}) e
    where c.organization_id = ${organizationId}::bigint and c.job_id = ${jobId}::bigint and c.${ident(column)} is not null
    limit ${MOST_TOLD}`;
  const rows = await db.rows(sql`(${first("failed")}) union all (${first("left_alone")})`);
  const of = (kind: string) =>
    Object.fromEntries(
      rows
        .filter((row) => row.kind === kind)
        .map((row) => [row.key ?? "", storedJson(texts, row.value ?? "[]", "core__job_chunks")]),
    );
  const { [REMOVED]: removed, ...results } = (await countsOf(db, organizationId, jobId)) ?? {};
  const imported = await importOf(db, organizationId, jobId);
  const failed = imported?.failed ?? 0;
  const isCounted = Object.keys(results).length > 0 || failed > 0;
  const counts = isCounted ? (imported ? { ...noRows, ...results, failed } : results) : undefined;
  const faults = await firstFaults(db, organizationId, jobId);
  const kept = await db.row(sql`select count(*)::text as count from (${keptRecords(organizationId, jobId)}) k`);
  const left = await db.row(sql`
    select count(*)::text as count from core__job_chunks c, json_object_keys(c.left_alone) k
    where c.organization_id = ${organizationId}::bigint and c.job_id = ${jobId}::bigint and c.left_alone is not null`);
  const rest = await restOf(db, organizationId, jobId, {
    left: Number(left?.count) - (removed ?? 0),
    removed: removed ?? 0,
    kept: Number(kept?.count),
  });
  return {
    failed: of("failed"),
    left_alone: of("left_alone"),
    ...(rest.length > 0 ? { message: rest } : {}),
    // All of them, not only the first.
    ...(Number(left?.count) > 0 ? { left_alone_count: Number(left?.count) } : {}),
    ...(removed === undefined ? {} : { left_alone_removed: removed }),
    ...(counts ? { counts } : {}),
    ...(imported?.isDryRun ? { dry_run: 1 } : {}),
    ...(faults.length > 0 ? { faults } : {}),
    // Which they are is told to those who may read them.
    ...(Number(kept?.count) > 0 ? { kept: Number(kept?.count) } : {}),
  };
}

/** Every row of an import is counted once: as one of these, or as failed. */
export const noRows = { added: 0, changed: 0, unchanged: 0, skipped: 0, failed: 0 } as const;

/** Of an import: how many of its rows failed so far, and whether it only checked, so that there is nothing to undo. */
async function importOf(db: Queryable, organizationId: string, jobId: string) {
  const row = await db.row(sql`
    select j.input->'import'->>'dryRun' as dry, (
      select count(*) from core__job_chunks c, json_object_keys(c.failed) k
      where c.organization_id = ${organizationId}::bigint and c.job_id = ${jobId}::bigint and c.failed is not null)::text as failed
    from core__jobs j where j.organization_id = ${organizationId}::bigint and j.id = ${jobId}::bigint and j.kind = 'import'`);
  return row && { isDryRun: row.dry === "true", failed: Number(row.failed) };
}

/** Of an undo: what it left and what to do about it, in the words of whoever started it. */
async function restOf(
  db: Queryable,
  organizationId: string,
  jobId: string,
  counts: { readonly left: number; readonly removed: number; readonly kept: number },
): Promise<readonly string[]> {
  const row = await db.row(sql`
    select j.input->>'language' as language, (
      select count(*) from core__job_chunks c, json_object_keys(c.failed) k
      where c.organization_id = ${organizationId}::bigint and c.job_id = ${jobId}::bigint and c.failed is not null)::text as failed
    from core__jobs j where j.organization_id = ${organizationId}::bigint and j.id = ${jobId}::bigint and j.kind = 'undo'`);
  if (!row) return [];
  const told = (code: "left" | "removed" | "failed" | "kept", count: number): Message[] =>
    count > 0 ? [say(`undo_rest_${code}`, { count })] : [];
  return writeAll(
    [
      ...told("left", counts.left),
      ...told("removed", counts.removed),
      ...told("failed", Number(row.failed)),
      ...told("kept", counts.kept),
    ],
    languageOf(row.language) ?? "en",
  );
}

const faultSchema = z.object({
  row: z.number(),
  column: z.string().nullable(),
  value: z.string().nullable(),
  reasons: texts,
});

async function firstFaults(db: Queryable, organizationId: string, jobId: string) {
  const rows = await db.rows(sql`
    select e.value::text as fault from core__job_chunks c, json_array_elements(c.faults) with ordinality as e(value, position)
    where c.organization_id = ${organizationId}::bigint and c.job_id = ${jobId}::bigint and c.faults is not null
    order by c.number, e.position limit ${MOST_TOLD}`);
  return rows.map((row) => storedJson(faultSchema, row.fault, "core__job_chunks.faults"));
}

/** How many rows were added, changed, left as they were or skipped, where they were counted. */
async function countsOf(
  db: Queryable,
  organizationId: string,
  jobId: string,
): Promise<Readonly<Record<string, number>> | undefined> {
  const rows = await db.rows(sql`
    select e.key, sum(e.value::bigint)::text as count from core__job_chunks c, json_each_text(c.counts) e
    where c.organization_id = ${organizationId}::bigint and c.job_id = ${jobId}::bigint and c.counts is not null group by e.key`);
  return rows.length === 0 ? undefined : Object.fromEntries(rows.map((row) => [row.key ?? "", Number(row.count)]));
}
