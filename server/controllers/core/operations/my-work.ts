// my_work: what waits for the caller, over all record types, longest first, as far as it may read it. Found through the
// access sets whose actors it is among: never by looking through tables.

import { Failure } from "../../../../contract/failures.ts";
import { say } from "../../../../contract/messages.ts";
import { aclVersion } from "../../../access/acl-directory.ts";
import type { Caller } from "../../../access/caller.ts";
import { seesName } from "../../../access/field-mask.ts";
import { mayLook } from "../../../access/matrix.ts";
import { mayRead } from "../../../access/visibility.ts";
import { expression, ident, join, quote, type Sql, sql } from "../../../database/sql.ts";
import { nameInWords } from "../../../labels/name-in-words.ts";
import { typeOf } from "../../../metadata/compile.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../../metadata/snapshot.ts";
import { addressed } from "../../../operations/addressed.ts";
import type { Operation } from "../../../operations/operation.ts";
import { pageOf } from "../../../operations/pages.ts";
import { DEFAULT_LIMIT } from "../../../plan/plan-list.ts";
import type { ListSources } from "../../../records/list/run-list.ts";
import { readDisplayTexts } from "../../../records/read/display-texts.ts";
import { textAt } from "../../../request/tree.ts";
import { takesWorkflow } from "../../../workflow/effect-fields.ts";

const NODES = "core/workflow_nodes";

interface Waiting {
  readonly type: RecordType;
  /** Access sets whose actors the caller is among. */
  readonly sets: readonly string[];
  readonly count: number;
}

/** By record type, with exact counts: live rows are counted per access set as they are written. */
async function findWaiting({ db, directory }: ListSources, snapshot: Snapshot, caller: Caller): Promise<Waiting[]> {
  const org = sql`${caller.organizationId}::bigint`;
  const rows = await db.rows(sql`
    with mine as materialized (
      select s.record_type, s.id from core__acl_sets s
      where s.organization_id = ${org} and s.actors && ${caller.principals.map(String)}::integer[]
    )
    select ${aclVersion(caller.organizationId)} as version, mine.record_type, mine.id::text as id,
      (coalesce((select c.live from core__counters c where c.organization_id = ${org}
          and c.record_type = mine.record_type and c.acl_id = mine.id), 0)
        + coalesce((select sum(d.delta) from core__changes d where d.organization_id = ${org}
          and d.record_type = mine.record_type and d.acl_id = mine.id), 0))::text as live
    from mine order by mine.record_type, mine.id`);
  const waiting: Waiting[] = [];
  for (const key of new Set(rows.map((row) => row.record_type ?? ""))) {
    const type = snapshot.types.get(key);
    if (!type || !takesWorkflow(type) || !mayLook(caller, key)) continue;
    // Whose turn it is need not be who may read it.
    const seen = rows[0]?.version ?? "0";
    if ((await directory.view(caller, type)).version !== seen) directory.forget(caller.organizationId, seen);
    const { readable } = await directory.view(caller, type);
    const sets = rows.filter((row) => row.record_type === key && readable?.has(row.id ?? "") !== false);
    const count = sets.reduce((sum, row) => sum + Number(row.live ?? 0), 0);
    if (count > 0) waiting.push({ type, sets: sets.map((row) => row.id ?? ""), count });
  }
  return waiting;
}

function waitingRows(caller: Caller, { type, sets }: Waiting, number: number, most: number): Sql {
  const display = type.field.get(type.displayField);
  const isSeen = seesName(type, caller);
  const name =
    display && isSeen ? expression(typeOf(display).select(display, (column) => `r.${quote(column)}`)) : sql`r.id::text`;
  return sql`(select ${expression(`'${number}'`)}::text as number, r.id::text as id, (${name})::text as name,
      r.current_stage::text as stage, r.stage_since as since, r.owned_by::text as owner
    from ${ident(type.table)} r
    where ${mayRead(caller, type, "r")} and r.acl_id = any(${[...sets]}::integer[]) and r.deleted = 0
    order by r.stage_since, r.id limit ${most}::bigint)`;
}

export const myWork: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  keepsLimits: true,
  async run(context) {
    const { caller } = addressed(context);
    const { snapshot, services, call } = context;
    const db = services.database;
    const { page, limit, offset } = pageOf(context, DEFAULT_LIMIT);
    const all = await findWaiting(services.lists, snapshot, caller);
    const only = textAt(call.parameters, "controller");
    if (only !== undefined) requireType(snapshot, only);
    const waiting = only === undefined ? all : all.filter(({ type }) => type.key === only);
    const total = waiting.reduce((sum, one) => sum + one.count, 0);
    if (offset + limit > MOST) {
      const reason = say("at_most_records", { max: MOST });
      throw new Failure("malformed_parameter", { with: { name: "page", reason } });
    }
    const parts = waiting.map((one, index) => waitingRows(caller, one, index, offset + limit));
    const rows =
      parts.length === 0 || textAt(call.parameters, "count") === "1"
        ? []
        : await db.rows(sql`
      select w.number, w.id, w.name, w.stage, w.since::text as since, w.owner from (${join(parts, " union all ")}) w
      order by w.since, w.number, w.id limit ${limit}::bigint offset ${offset}::bigint`);
    const ids = new Map([
      [NODES, new Set(rows.flatMap((row) => row.stage ?? []))],
      ["access_controls/users", new Set(rows.flatMap((row) => row.owner ?? []))],
    ]);
    const types = [...ids.keys()].map((key) => requireType(snapshot, key));
    const texts = await readDisplayTexts(async (one) => (await db.run(one)).rows, snapshot, caller, types, ids);
    const data = rows.map((row) => {
      const type = waiting[Number(row.number)]?.type;
      return {
        id: row.id,
        controller: type?.key ?? "",
        singular: type?.label ?? "",
        icon: type?.icon ?? null,
        record_display_name: row.name,
        current_stage: row.stage,
        __current_stage: nameInWords(snapshot, NODES, texts.of(NODES, row.stage ?? null)),
        stage_since: row.since,
        owned_by: row.owner,
        __owned_by: texts.of("access_controls/users", row.owner ?? null),
      };
    });
    const counts = all.map(({ type, count }) => ({ controller: type.key, label: type.plural, count }));
    return { body: { data: { my_work: data, counts }, page, limit, total_count: total } };
  },
};

/** Further than this nobody pages through what waits for them. */
const MOST = 10_000;
