// Deletes or restores many records of a type. Records without dependents and that nothing refers to are handled together in a
// few statements; the others one by one. Call within a transaction.
import type { Grant } from "../../access/grant.ts";
import { sql } from "../../database/sql.ts";
import { recordIdOf } from "../../fields/record-id.ts";
import { childTypeOf, ownedAssociations } from "../../metadata/associations.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { lockRecords } from "../../query/lock-rows.ts";
import { ownersAmong, referredAmong } from "../../query/owned-rows.ts";
import { ALONG } from "../history/revisions.ts";
import { hooksOf, lockForChange, settle, type Work } from "../hooks.ts";
import { uniqueSets } from "../save/check-unique.ts";
import { type Consent, deleteRecord, mark, restoreRecord } from "../save/delete-record.ts";
import { requiredBy } from "../save/dependents.ts";
import { type ManyOutcome, withSavepoints } from "./with-savepoints.ts";

export async function deleteMany(
  work: Work,
  grant: Grant,
  ids: readonly string[],
  consent: Consent,
  signal?: AbortSignal,
): Promise<ManyOutcome> {
  const { type } = grant;
  await lockForChange(work, type);
  const alone = await standingAlone(work, type, await lockedAs(work, type, ids, "0"));
  await mark(work, type, alone, "1", new Map(), "delete");
  await settle(work);
  return together(ids, alone, (rest) =>
    withSavepoints(work.transaction, rest, (id) => deleteRecord(work, grant, id, consent), signal),
  );
}

export async function restoreMany(
  work: Work,
  grant: Grant,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<ManyOutcome> {
  const { type } = grant;
  await lockForChange(work, type);
  const alone = await goneAlone(work, type, await lockedAs(work, type, ids, "1"));
  await mark(work, type, alone, "0", new Map(), "restore");
  await settle(work);
  return together(ids, alone, (rest) =>
    withSavepoints(work.transaction, rest, (id) => restoreRecord(work, grant, id), signal),
  );
}

/** In the order of `ids`, whichever way each went. */
async function together(
  ids: readonly string[],
  done: readonly string[],
  others: (rest: readonly string[]) => Promise<ManyOutcome>,
): Promise<ManyOutcome> {
  const settled = new Set(done);
  const outcome = await others(ids.filter((id) => !settled.has(id)));
  const changed = new Set([...done, ...outcome.changed]);
  return { changed: ids.filter((id) => changed.has(id)), failed: outcome.failed };
}

/** Those that are the caller's to delete, are so far (not) deleted, and belong to a type that looks at none of them. */
async function lockedAs(
  work: Work,
  type: RecordType,
  ids: readonly string[],
  deleted: "0" | "1",
): Promise<readonly string[]> {
  const hooks = hooksOf(work, type);
  if (hooks.check || hooks.follow || hooks.changesAccess) return [];
  const possible = ids.flatMap((id) => recordIdOf(id, type.idKind) ?? []);
  const { rows } = await work.transaction.run(lockRecords(type, work.caller, possible, ["id", "deleted"]));
  return rows.flatMap(([id, state, , mayDelete]) => (id != null && state === deleted && mayDelete === "1" ? [id] : []));
}

/** Without children of their own, and required by nobody. */
async function standingAlone(work: Work, type: RecordType, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const branches = ownedAssociations(type).map((association) => ({
    association,
    parent: type,
    child: childTypeOf(work.snapshot, association),
    parentIds: ids,
  }));
  const bound = new Set<string | null>();
  for (const statement of [
    ownersAmong(work.caller, branches),
    referredAmong(work.caller, type, ids, requiredBy(work, type)),
  ]) {
    if (!statement) continue;
    for (const [id] of (await work.transaction.run(statement)).rows) bound.add(id ?? null);
  }
  return ids.filter((id) => !bound.has(id));
}

/** Whose deletion took nothing along. What must be unique may be taken by now: then each is tried by itself. */
async function goneAlone(work: Work, type: RecordType, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0 || uniqueSets(type).length > 0) return [];
  const { rows } = await work.transaction.run(sql`
    select distinct on (related_id) related_id, (changes ? ${ALONG})::integer::text from core__revisions
    where organization_id = ${work.caller.organizationId}::bigint and related_type = ${type.key}
      and related_id = any(${ids}::text[]) and operation = 'delete'
    order by related_id, number desc, id desc`);
  const along = new Set(rows.filter(([, took]) => took === "1").map(([id]) => id));
  return ids.filter((id) => !along.has(id));
}
