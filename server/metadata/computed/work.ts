// What is left to compute while the service runs (core__computed_work): all records of a type whose design changed, or so many that
// nobody could wait for them. Says what there is; server/records/computed/worker.ts does it.
import { z } from "zod";
import type { Queryable } from "../../database/database.ts";
import { notify } from "../../database/processes/notify.ts";
import { sql } from "../../database/sql.ts";
import { storedJson } from "../../database/stored-json.ts";
import type { RecordTypeKey } from "../record-type.ts";

/** Which records: all; these; or those whose lookup goes through these records of its step with that number. */
const sourceSchema = z.object({ ids: z.array(z.string()).exactOptional(), through: z.number().exactOptional() });
export type Source = z.infer<typeof sourceSchema>;

export interface ComputedWork {
  readonly organizationId: string;
  readonly id: string;
  readonly type: RecordTypeKey;
  readonly fields: readonly string[];
  readonly source: Source;
  readonly reached: string | null;
  readonly round: number;
  /** Of the metadata that it was left by, or newer. */
  readonly version: string;
}

/** Within the transaction that makes it necessary. `everywhere`: for every organization. */
export async function leaveComputing(
  transaction: Queryable,
  organizationId: string | "everywhere",
  type: RecordTypeKey,
  fields: readonly string[],
  source: Source,
): Promise<void> {
  const into = sql`insert into core__computed_work (organization_id, record_type, fields, source)`;
  const one = sql`${type}, ${fields}::text[], ${JSON.stringify(source)}::jsonb`;
  await transaction.run(
    organizationId === "everywhere"
      ? sql`${into} select organization_id, ${one} from access_controls__organization_list`
      : // What is left already and nobody has begun with waits for this transaction: it is locked until its end.
        sql`with same as (
            select 1 from core__computed_work where organization_id = ${organizationId}::bigint and record_type = ${type}
              and fields = ${fields}::text[] and source = ${JSON.stringify(source)}::jsonb and reached is null and round = 1
            limit 1 for update skip locked)
          ${into} select ${organizationId}::bigint, ${one} where not exists (select from same)`,
  );
  await notify(transaction, "dossier_computed", organizationId);
}

export interface Computing {
  readonly fields: readonly string[];
  readonly done: number;
  readonly total: number;
}

/** The fields of a type that are being computed for all records, with how far that is over all organizations. */
export async function computingOf(db: Queryable, type: RecordTypeKey): Promise<readonly Computing[]> {
  const rows = await db.rows(sql`
    select array_to_json(fields)::text as fields, sum(done)::text as done, sum(total)::text as total from core__computed_work
    where record_type = ${type} and source = '{}' and round = 1 and fields <> '{acl_id}' group by fields`);
  return rows.map(({ fields, done, total }) => ({
    fields: storedJson(z.array(z.string()), fields ?? "[]", "core__computed_work.fields"),
    done: Number(done),
    total: Number(total),
  }));
}

/** Those whose time has come, oldest first; what fills a whole type comes after what somebody waits for. */
export async function dueWork(db: Queryable, most: number): Promise<readonly { organizationId: string; id: string }[]> {
  const rows = await db.rows(sql`
    select organization_id::text as organization_id, id::text as id from core__computed_work w
    where due <= now() at time zone 'utc' order by source = '{}', round, due, w.organization_id, w.id limit ${most}`);
  return rows.map((row) => ({ organizationId: row.organization_id ?? "", id: row.id ?? "" }));
}

/** Undefined where somebody else has it, or it is done. */
export async function claimWork(
  transaction: Queryable,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
): Promise<ComputedWork | undefined> {
  const row = await transaction.row(sql`
    select record_type, array_to_json(fields)::text as fields, source::text as source, reached, round::text as round
    from core__computed_work where organization_id = ${organizationId}::bigint and id = ${id}::bigint for update skip locked`);
  if (!row) return undefined;
  const state = await transaction.row(sql`select version::text as version from metadata__state`);
  return {
    organizationId,
    id,
    type: row.record_type ?? "",
    fields: storedJson(z.array(z.string()), row.fields ?? "[]", "core__computed_work.fields"),
    source: storedJson(sourceSchema, row.source ?? "{}", "core__computed_work.source"),
    reached: row.reached ?? null,
    round: Number(row.round),
    version: state?.version ?? "0",
  };
}

const which = ({ organizationId, id }: ComputedWork) =>
  sql`organization_id = ${organizationId}::bigint and id = ${id}::bigint`;

export const advanceWork = (
  transaction: Queryable,
  work: ComputedWork,
  reached: string,
  done: number,
): Promise<unknown> =>
  transaction.run(sql`update core__computed_work set reached = ${reached}, done = done + ${done} where ${which(work)}`);

export const countWork = (transaction: Queryable, work: ComputedWork, total: number): Promise<unknown> =>
  transaction.run(sql`update core__computed_work set total = ${total} where ${which(work)}`);

/** Others come first. */
export const postponeWork = (
  db: Queryable,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
): Promise<unknown> =>
  db.run(sql`
    update core__computed_work set due = (now() at time zone 'utc') + interval '1 minute'
    where organization_id = ${organizationId}::bigint and id = ${id}::bigint`);

/** How long a request may still go on that began with the former design. */
const ONCE_MORE_AFTER = "30 seconds";

/** What was written meanwhile by those who had not heard of the new design is looked at once more. */
export async function finishWork(transaction: Queryable, work: ComputedWork): Promise<void> {
  const isWhole = work.source.ids === undefined;
  await (isWhole && work.round === 1
    ? transaction.run(sql`
        update core__computed_work set round = 2, reached = null, due = (now() at time zone 'utc') + ${ONCE_MORE_AFTER}::interval
        where ${which(work)}`)
    : transaction.run(sql`delete from core__computed_work where ${which(work)}`));
}
