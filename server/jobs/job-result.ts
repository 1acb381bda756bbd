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
  const { kind, isDryRun, language, failed, left } = await aboutJob(db, organizationId, jobId);
  const isImport = kind === "import";
  const isCounted = Object.keys(results).length > 0 || (isImport && failed > 0);
  const counts = isCounted ? (isImport ? { ...noRows, ...results, failed } : results) : undefined;
  const faults = await firstFaults(db, organizationId, jobId);
  const kept = await db.row(sql`select count(*)::text as count from (${keptRecords(organizationId, jobId)}) k`);
  const keptCount = Number(kept?.count);
  const known = { left: left - (removed ?? 0), removed: removed ?? 0, failed, kept: keptCount };
  const rest = kind === "undo" ? writeAll(restOf(known), language) : [];
  return {
    failed: of("failed"),
    left_alone: of("left_alone"),
    ...(rest.length > 0 ? { message: rest } : {}),
    // All of them, not only the first.
    ...(left > 0 ? { left_alone_count: left } : {}),
    ...(removed === undefined ? {} : { left_alone_removed: removed }),
    ...(counts ? { counts } : {}),
    ...(isDryRun ? { dry_run: 1 } : {}),
    ...(faults.length > 0 ? { faults } : {}),
    // Which they are is told to those who may read them.
    ...(keptCount > 0 ? { kept: keptCount } : {}),
  };
}

/** Every row of an import is counted once: as one of these, or as failed. Of one that was refused as a whole, only what failed is. */
export const noRows = { added: 0, changed: 0, unchanged: 0, skipped: 0, failed: 0 } as const;

/** `isDryRun`: an import that only checked, so that there is nothing to undo. `failed`, `left`: how many, so far. */
async function aboutJob(db: Queryable, organizationId: string, jobId: string) {
  const count = (column: "failed" | "left_alone") => sql`(
    select count(*) from core__job_chunks c, json_object_keys(c.${ident(column)}) k
    where c.organization_id = ${organizationId}::bigint and c.job_id = ${jobId}::bigint and c.${ident(column)} is not null)::text`;
  const row = await db.row(sql`
    select j.kind, j.input->'import'->>'dryRun' as dry, j.input->>'language' as language,
      ${count("failed")} as failed, ${count("left_alone")} as left_alone
    from core__jobs j where j.organization_id = ${organizationId}::bigint and j.id = ${jobId}::bigint`);
  return {
    kind: row?.kind,
    isDryRun: row?.dry === "true",
    language: languageOf(row?.language) ?? "en",
    failed: Number(row?.failed ?? 0),
    left: Number(row?.left_alone ?? 0),
  };
}

/** Of an undo: what it left and what to do about it. */
const restOf = (counts: Readonly<Record<"left" | "removed" | "failed" | "kept", number>>): readonly Message[] =>
  (["left", "removed", "failed", "kept"] as const).flatMap((code) =>
    counts[code] > 0 ? [say(`undo_rest_${code}`, { count: counts[code] })] : [],
  );

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
