// core/listviews dashboard, pin, unpin, arrange: the views that a person has pinned, or, until they change anything, those
// that are pinned for everybody; or a dashboard that is shared with them, which is a record of its own. Whoever has changed
// nothing starts with the dashboard of a team of theirs, else of a role. What a person cannot see is not there, and comes back when they can.

import { z } from "zod";
import { Failure } from "../../../../contract/failures.ts";
import { type Message, say } from "../../../../contract/messages.ts";
import type { Caller } from "../../../access/caller.ts";
import { mayOperate } from "../../../access/matrix.ts";
import { may, mayRead } from "../../../access/visibility.ts";
import type { Queryable } from "../../../database/database.ts";
import { type Sql, sql } from "../../../database/sql.ts";
import { storedJson } from "../../../database/stored-json.ts";
import { requireType, type Snapshot } from "../../../metadata/snapshot.ts";
import { modulesOf } from "../../../modules/development_base/menu-data.ts";
import { addressed, requireId } from "../../../operations/addressed.ts";
import type { JsonResult, Operation, OperationContext } from "../../../operations/operation.ts";
import { noSuchRecord, requireRecordId } from "../../../plan/plan-read.ts";
import { isTree, type Tree, textAt } from "../../../request/tree.ts";
import {
  isViewId,
  MOST_TILES,
  readTiles,
  readTileViews,
  readViewsById,
  type TileSize,
  type TileView,
  tileSizes,
} from "../tiles.ts";

/** Far more than anybody chooses among. */
const MOST_SHARED = 200;

/** Instead of an id: the dashboard that the caller starts with. */
const FIRST = "first";

/** Of those that somebody could start with, so many are looked into for one that has something to show. */
const MOST_FIRST = 5;

/** By what a dashboard came to somebody, the nearest first. */
const audiences = ["group", "role"] as const;

const sizesSchema = z.record(z.string(), z.enum(tileSizes));
type Sizes = Readonly<Record<string, TileSize>>;

interface Dashboard {
  readonly ids: readonly string[];
  readonly sizes: Sizes;
}

const ownRow = (caller: Caller): Sql =>
  sql`organization_id = ${caller.organizationId}::bigint and user_id = ${caller.userId}::bigint`;

async function readOwn(db: Queryable, caller: Caller): Promise<Dashboard | undefined> {
  const own = await db.row(
    sql`select array_to_string(listview_ids, ' ') as ids, sizes::text as sizes from core__dashboards where ${ownRow(caller)}`,
  );
  return (
    own && {
      ids: (own.ids ?? "").split(" ").filter(Boolean),
      sizes: storedJson(sizesSchema, own.sizes ?? "{}", "core__dashboards.sizes"),
    }
  );
}

async function readPins(db: Queryable, caller: Caller, snapshot: Snapshot): Promise<TileView[]> {
  const own = await readOwn(db, caller);
  if (!own) {
    const forAll = sql`r.is_pinned = 1 and r.is_personal is distinct from 1`;
    return readTileViews(db, caller, snapshot, forAll, sql`r.dashboard_sequence nulls last, r.name, r.id`);
  }
  const { ids, sizes } = own;
  const pins = await readViewsById(db, caller, snapshot, ids);
  return pins.map((pin) => ({ ...pin, size: sizes[pin.id] ?? null }));
}

function present(
  snapshot: Snapshot,
  pins: readonly TileView[],
  more: Readonly<Record<string, unknown>> = {},
): JsonResult {
  const modules = new Map(modulesOf(snapshot).map(({ name, label }) => [name, label]));
  const data = pins.map((pin, index) => {
    const type = snapshot.types.get(pin.controller ?? "");
    return {
      size: null,
      ...pin,
      name: pin.name && snapshot.words(pin.name),
      module_label: snapshot.words(modules.get(type?.module ?? "") ?? "") || null,
      controller_label: type?.plural ?? null,
      sequence: String(index + 1),
    };
  });
  const paginate = { data, total_count: data.length, alias: "listviews", controller: "core/listviews" };
  return { body: { paginate, ...more } };
}

/** The dashboards that are shared with the caller, and their own, or `only` the one of them; `tiles` are all that stand there, seen
 * or not. Where there are too many, those that merely may be read are left out first. */
async function readShared(db: Queryable, caller: Caller, snapshot: Snapshot, only?: string) {
  const type = requireType(snapshot, "core/team_dashboards");
  if (!mayOperate(caller, type, "index")) return [];
  const rows = await db.rows(sql`
    select r.id::text as id, r.name, r.owned_by::text as owned_by, coalesce(r.is_personal, 0)::text as is_personal,
      r.revision::text as revision, r.tiles::text as tiles,
      ${may("edit", caller, type, "r")}::integer::text as is_edit,
      ${may("delete", caller, type, "r")}::integer::text as is_delete, a.audience::text as audience
    from core__team_dashboards r left join (${audiencesOf(caller)}) a on a.related_id = r.id::text
    where ${mayRead(caller, type, "r")} and r.deleted = 0 ${only === undefined ? sql`` : sql`and r.id = ${only}::uuid`}
    order by coalesce(a.audience, case when r.owned_by = ${caller.userId}::bigint then 2 else 3 end), r.name, r.id limit ${MOST_SHARED}::integer`);
  return rows.map(({ id, tiles, is_edit, is_delete, audience, ...row }) => ({
    id: id ?? "",
    ...row,
    through: audiences[Number(audience ?? audiences.length)] ?? null,
    tiles: readTiles(tiles) ?? [],
    is_edit: is_edit === "1" && mayOperate(caller, type, "edit"),
    is_delete: is_delete === "1" && mayOperate(caller, type, "delete"),
  }));
}

/** `audience`, by its place among them, of those that are shared with a group or a role of the caller. */
const audiencesOf = (caller: Caller): Sql => sql`
  select s.related_id, min(case when g.id is not null then 0 when o.id is not null then 1 end) as audience
  from access_controls__shares s
  left join access_controls__groups g on g.organization_id = s.organization_id and g.principal_id = s.principal_id
  left join access_controls__roles o on o.organization_id = s.organization_id and o.principal_id = s.principal_id
  where s.organization_id = ${caller.organizationId}::bigint and s.related_type = 'core/team_dashboards'
    and s.deleted = 0 and s.principal_id = any(${caller.principals}::integer[])
    and (s.until is null or s.until > now() at time zone 'utc')
  group by s.related_id`;

type Shared = Awaited<ReturnType<typeof readShared>>[number];

/** Undefined where it is the caller's own: they have changed it, or none of a team or a role has anything to show. */
async function readFirst(
  db: Queryable,
  caller: Caller,
  snapshot: Snapshot,
  dashboards: readonly Shared[],
): Promise<Shared | undefined> {
  const offered = dashboards.filter(({ through }) => through !== null).slice(0, MOST_FIRST);
  if (offered.length === 0 || (await readOwn(db, caller))) return undefined;
  const ids = offered.flatMap(({ tiles }) => tiles.map(({ id }) => id));
  const seen = new Set((await readViewsById(db, caller, snapshot, ids)).map(({ id }) => id));
  return offered.find(({ tiles }) => tiles.some(({ id }) => seen.has(id)));
}

/** `dashboard`: the id of one that is shared with the caller, or `first`; without it their own. */
export const dashboard: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const { caller } = addressed(context);
    const { snapshot, services, call } = context;
    const { database } = services;
    const dashboards = await readShared(database, caller, snapshot);
    const wanted = textAt(call.parameters, "dashboard");
    // One that is asked for by name is there, however many others are.
    if (wanted !== undefined && isViewId(wanted) && !dashboards.some(({ id }) => id === wanted))
      dashboards.push(...(await readShared(database, caller, snapshot, wanted)));
    const found =
      wanted === FIRST
        ? await readFirst(database, caller, snapshot, dashboards)
        : dashboards.find(({ id }) => id === wanted);
    if (!found) {
      if (wanted !== undefined && wanted !== FIRST) throw noSuchRecord(requireType(snapshot, "core/team_dashboards"));
      return present(snapshot, await readPins(database, caller, snapshot), { dashboards, dashboard: null });
    }
    const ids = found.tiles.map(({ id }) => id);
    const sizes = new Map(found.tiles.map(({ id, size }) => [id, size ?? null]));
    const pins = await readViewsById(database, caller, snapshot, ids);
    const sized = pins.map((pin) => ({ ...pin, size: sizes.get(pin.id) ?? null }));
    return present(snapshot, sized, { dashboards, dashboard: found.id });
  },
};

/** Changes one person's dashboard, beginning with the one that they see. */
async function changeDashboard(
  context: OperationContext,
  change: (before: Dashboard, transaction: Queryable) => Promise<Dashboard>,
  message: Message,
): Promise<JsonResult> {
  const { caller } = addressed(context);
  const { snapshot, services } = context;
  const pins = await services.database.transaction(async (transaction) => {
    const key = `dashboard ${caller.organizationId} ${caller.userId}`;
    await transaction.run(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
    const own = await readOwn(transaction, caller);
    const before = own ?? {
      ids: (await readPins(transaction, caller, snapshot)).map((pin) => pin.id),
      sizes: {},
    };
    const { ids, sizes } = await change(before, transaction);
    const kept = ids.slice(0, MOST_TILES);
    const keptSizes = Object.fromEntries(Object.entries(sizes).filter(([id]) => kept.includes(id)));
    await transaction.run(sql`
      insert into core__dashboards (organization_id, user_id, listview_ids, sizes)
      values (${caller.organizationId}::bigint, ${caller.userId}::bigint, ${kept}::uuid[], ${JSON.stringify(keptSizes)}::jsonb)
      on conflict (organization_id, user_id) do update set listview_ids = excluded.listview_ids, sizes = excluded.sizes`);
    return readPins(transaction, caller, snapshot);
  });
  return { ...present(snapshot, pins), message: [message] };
}

/** One view, which the caller must be able to see. */
function changePins(
  context: OperationContext,
  change: (ids: readonly string[], id: string) => readonly string[],
  message: Message,
): Promise<JsonResult> {
  const { caller, type } = addressed(context);
  const id = requireRecordId(type, requireId(context));
  return changeDashboard(
    context,
    async ({ ids, sizes }, transaction) => {
      const [view] = await readViewsById(transaction, caller, context.snapshot, [id]);
      if (!view) throw noSuchRecord(type);
      return { ids: change(ids, id), sizes };
    },
    message,
  );
}

/** `sequence`: its place, counted from 1; without one it comes last, or stays where it is. */
export const pin: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  run: (context) => {
    const place = Number(textAt(context.call.parameters, "sequence"));
    return changePins(
      context,
      (ids, id) => {
        if (!(place >= 1)) return ids.includes(id) ? ids : [...ids, id];
        const others = ids.filter((one) => one !== id);
        return [...others.slice(0, place - 1), id, ...others.slice(place - 1)];
      },
      say("pinned"),
    );
  },
};

export const unpin: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  run: (context) => changePins(context, (ids, id) => ids.filter((one) => one !== id), say("unpinned")),
};

function refuse(name: string, reason: Message): never {
  throw new Failure("malformed_parameter", { with: { name, reason } });
}

/** Far more views than anybody pins. */
const MOST_SENT = 5_000;

function sentIds(tree: Tree): readonly string[] {
  const { ids } = tree;
  const list = Array.isArray(ids)
    ? ids
    : typeof ids === "string"
      ? ids.split(",", MOST_SENT)
      : refuse("ids", say("must_be_list"));
  const known = list.filter(isViewId);
  return known.length === list.length ? [...new Set(known)] : refuse("ids", say("must_be_view_ids"));
}

function sentSizes({ sizes = {} }: Tree): Sizes {
  if (!isTree(sizes)) refuse("sizes", say("must_be_sizes"));
  return Object.fromEntries(
    Object.entries(sizes).map(([id, sent]) => {
      const size = tileSizes.find((one) => one === sent);
      return [id, size ?? refuse("sizes", say("must_be_one_of", { options: tileSizes }))];
    }),
  );
}

/** `ids`: the order; those that are not pinned are passed over, pinned ones that are not named come after. `sizes`: of any. */
export const arrange: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  run: (context) => {
    const ids = sentIds(context.call.parameters);
    const sizes = sentSizes(context.call.parameters);
    return changeDashboard(
      context,
      async (before) => ({
        ids: [...ids.filter((id) => before.ids.includes(id)), ...before.ids.filter((id) => !ids.includes(id))],
        sizes: { ...before.sizes, ...sizes },
      }),
      say("dashboard_saved"),
    );
  },
};
