// Which records an undo is about: all of the job's, the first time and after an undo that was stopped half-way. Then those
// that the last undo told of, once any of them may go back: so the last one always tells all that is left.

import { z } from "zod";
import { type Message, say } from "../../contract/messages.ts";
import { fieldMask } from "../access/field-mask.ts";
import { wall } from "../access/visibility.ts";
import { ident, join, type Sql, sql } from "../database/sql.ts";
import { storedJson } from "../database/stored-json.ts";
import { isFilledIn } from "../fields/field-type.ts";
import { childTypeOf, ownedAssociations } from "../metadata/associations.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { idTypeOf, lockRecords } from "../query/lock-rows.ts";
import { hooksOf, type Work } from "../records/hooks.ts";
import type { Job } from "./job.ts";
import type { StartedBulk } from "./start-bulk.ts";
import { readDone } from "./undo.ts";
import { type Done, doneChildren, type ReadDone } from "./undo-along.ts";

const toldSchema = z.array(z.string());

/** Records that a job can be undone for, as texts: those whose history it is in. */
export const recordsOf = (organizationId: string, controller: string, jobId: string): Sql => sql`
  select distinct related_id from core__revisions
  where organization_id = ${organizationId}::bigint and job_id = ${jobId}::bigint and related_type = ${controller}
  order by related_id`;

/** The undo of a job that came last. */
export interface EarlierUndo {
  readonly id: string;
  readonly status: string;
  /** How many records it left because a field was removed. */
  readonly removed: number;
}

export async function earlierUndo({ transaction, caller }: Work, jobId: string): Promise<EarlierUndo | undefined> {
  const row = await transaction.row(sql`
    select u.id::text as id, u.status, u.result->>'left_alone_removed' as removed from core__jobs j
    join core__jobs u on u.organization_id = j.organization_id and u.id = j.undone_by
    where j.organization_id = ${caller.organizationId}::bigint and j.id = ${jobId}::bigint`);
  return row && { id: row.id ?? "", status: row.status ?? "", removed: Number(row.removed ?? 0) };
}

/** Why there is nothing to repeat: who waits for a field to come back is told so. */
export async function whyIdle(work: Work, type: RecordType, jobId: string, last: EarlierUndo): Promise<Message> {
  const count = last.removed > 0 ? await countWaiting(work, type, jobId, last.id) : 0;
  return count > 0 ? say("undo_fields_removed", { count }) : say("job_undone");
}

/** Of the records that an undo told of: how many wait for a field that is removed, or hidden from the caller. */
async function countWaiting(work: Work, type: RecordType, jobId: string, undoId: string): Promise<number> {
  const { transaction, caller } = work;
  const read: ReadDone = (of, ids) => readDone(work, of, jobId, ids);
  let count = 0;
  for (let after = -1; ; ) {
    const chunk = await transaction.row(sql`
      select c.number::text as number, array_to_json(c.told)::text as told from core__job_chunks c
      where c.organization_id = ${caller.organizationId}::bigint and c.job_id = ${undoId}::bigint and c.told is not null
        and c.number > ${after} order by c.number limit 1`);
    if (!chunk) return count;
    after = Number(chunk.number);
    const told = storedJson(toldSchema, chunk.told, "core__job_chunks.told");
    const { rows } = await transaction.run(lockRecords(type, caller, told, ["id"]));
    const ids = rows.flatMap(([id]) => id ?? []);
    const children = await doneChildren(work, type, ids, read);
    const waiting = new Set(
      children
        .filter((child) => child.row.deleted === "0" && isWaiting(work, child.type, child.done))
        .map(({ parentId }) => parentId),
    );
    for (const [id, done] of await read(type, ids)) if (isWaiting(work, type, done)) waiting.add(id);
    count += waiting.size;
  }
}

function isWaiting(work: Work, type: RecordType, { changes, isAdded, since, gone }: Done): boolean {
  if (isAdded) return false;
  const names = new Set(changeable(work, type).map(({ name }) => name));
  const { visible } = fieldMask(type, work.caller);
  return (
    gone.size > 0 || Object.keys(changes).some((name) => names.has(name) && !visible.has(name) && !since.has(name))
  );
}

/** Fields that an undo changes back. */
function changeable(work: Work, type: RecordType) {
  const computed = new Set(hooksOf(work, type).computes ?? []);
  return type.fields.filter((field) => !isFilledIn(field) && !computed.has(field.name));
}

/** It came to no end of its own: another one may finish it. */
export const isBroken = ({ status }: EarlierUndo): boolean => status === "cancelled" || status === "failed";

/** Nothing went back, and nothing was even tried: what was told of is as it was. */
export const isIdle = ({ total, outcome }: StartedBulk): boolean =>
  total === 0 || (outcome !== undefined && outcome.changed.length === 0 && Object.keys(outcome.failed).length === 0);

/**
 * What the last undo told of, if it failed at a record, or if a value that nobody has touched since the job wrote it can be
 * changed now, as that of a field that was removed then and is restored. `kind`: what the job did to records.
 */
export function leftBy(work: Work, type: RecordType, { id: jobId }: Job, kind: string, undoId: string): Sql {
  const { caller, snapshot } = work;
  const chunks = sql`core__job_chunks c where c.organization_id = ${caller.organizationId}::bigint and c.job_id = ${undoId}::bigint`;
  const told = sql`(select unnest(c.told) as id from ${chunks}) t`;
  const may = [sql`exists (select from ${chunks} and c.failed is not null)`];
  if (kind === "edit" || kind === "upsert") {
    may.push(sql`exists (select from ${told} where ${isUntouched(work, type, sql`t.id`, jobId)})`);
    for (const association of ownedAssociations(type)) {
      const child = childTypeOf(snapshot, association);
      if (child.follows !== undefined) continue;
      const tie =
        association.kind === "has-many"
          ? sql`${ident("r", association.via)} = t.id::${idTypeOf(type)}`
          : sql`r.related_type = ${type.key} and r.related_id = t.id`;
      may.push(sql`exists (
        select from ${told} join ${ident(child.table)} r on ${tie} and ${wall(caller, child, "r")} and r.deleted = 0
        where ${isUntouched(work, child, sql`r.id::text`, jobId)})`);
    }
  }
  return sql`select distinct t.id from ${told} where ${join(may, " or ")} order by t.id`;
}

/** Of a record that the job changed and did not add: a value, of those that an undo changes back. */
function isUntouched(work: Work, type: RecordType, id: Sql, jobId: string): Sql {
  const { visible } = fieldMask(type, work.caller);
  const fields = changeable(work, type).filter(({ name }) => visible.has(name));
  const namesOf = new Map(fields.map(({ name }) => [name, [name]]));
  for (const [alias, name] of type.fieldAliases) namesOf.get(name)?.push(alias);
  const names = [...namesOf.values()].flatMap((all) => all.map((name) => ({ name, all: all.join(" ") })));
  const entries = (alias: string) => sql`core__revisions ${ident(alias)}
    where ${ident(alias, "organization_id")} = ${work.caller.organizationId}::bigint
      and ${ident(alias, "related_type")} = ${type.key} and ${ident(alias, "related_id")} = ${id}`;
  return sql`exists (
    select from ${entries("d")} and d.job_id = ${jobId}::bigint and exists (
      select from unnest(${names.map(({ name }) => name)}::text[], ${names.map(({ all }) => all)}::text[]) f(name, names)
      where d.changes ? f.name
        and not exists (select from ${entries("l")} and l.number > d.number and l.changes ?| string_to_array(f.names, ' ')))
      and not exists (select from ${entries("a")} and a.job_id = ${jobId}::bigint and a.operation = 'add'))`;
}
