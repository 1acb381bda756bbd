// core/favorites index, add, remove, arrange: the records and views that a person has starred, in their order. Everybody has
// their own. What a person can no longer see is not there, and comes back when they can.
import { Failure } from "../../../../contract/failures.ts";
import { say } from "../../../../contract/messages.ts";
import type { Caller } from "../../../access/caller.ts";
import { fieldPermission } from "../../../access/field-mask.ts";
import { mayOperate } from "../../../access/matrix.ts";
import { mayRead } from "../../../access/visibility.ts";
import type { Queryable } from "../../../database/database.ts";
import { expression, ident, quote, type Sql, sql } from "../../../database/sql.ts";
import { typeOf } from "../../../metadata/compile.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import { findType, type Snapshot } from "../../../metadata/snapshot.ts";
import { requireId } from "../../../operations/addressed.ts";
import type { JsonResult, Operation, OperationContext } from "../../../operations/operation.ts";
import { requireCaller } from "../../../operations/require-caller.ts";
import { noSuchRecord, requireRecordId } from "../../../plan/plan-read.ts";
import { isAmongIds } from "../../../query/lock-rows.ts";
import { textAt } from "../../../request/tree.ts";

const MOST = 100;
const VIEWS = "core/listviews";

interface Favorite {
  readonly key: string;
  readonly controller: string;
  readonly id: string;
  readonly name: string | null;
  readonly label: string;
  readonly icon: string | null;
  /** Of a view: the record type that it lists, and how. */
  readonly lists: string | null;
  readonly ui_helper: string | null;
}

const keyOf = (type: RecordType, id: string): string => `${type.key}/${id}`;

const ownRow = ({ organizationId, userId }: Caller): Sql =>
  sql`organization_id = ${organizationId}::bigint and user_id = ${userId}::bigint`;

async function readKeys(db: Queryable, caller: Caller): Promise<readonly string[]> {
  const row = await db.row(sql`select array_to_string(keys, ' ') as keys from core__favorites where ${ownRow(caller)}`);
  return (row?.keys ?? "").split(" ").filter(Boolean);
}

async function readFavorites(db: Queryable, snapshot: Snapshot, caller: Caller): Promise<readonly Favorite[]> {
  const keys = await readKeys(db, caller);
  const idsOf = new Map<string, string[]>();
  for (const key of keys) {
    const at = key.lastIndexOf("/");
    const ids = idsOf.get(key.slice(0, at)) ?? [];
    idsOf.set(key.slice(0, at), [...ids, key.slice(at + 1)]);
  }
  const found = new Map<string, Favorite>();
  for (const [name, ids] of idsOf) {
    const type = findType(snapshot, name);
    if (!type) continue;
    for (const favorite of await readOf(db, snapshot, caller, type, ids)) found.set(favorite.key, favorite);
  }
  return keys.flatMap((key) => found.get(key) ?? []);
}

/** Those of them that the caller can open now. */
async function readOf(
  db: Queryable,
  snapshot: Snapshot,
  caller: Caller,
  type: RecordType,
  ids: readonly string[],
): Promise<readonly Favorite[]> {
  if (!mayOperate(caller, type, "view")) return [];
  const display = type.field.get(type.displayField);
  const isNamed = display !== undefined && fieldPermission(type, display.name, caller, "view") !== 1;
  const name = isNamed ? expression(typeOf(display).select(display, (column) => `r.${quote(column)}`)) : sql`null`;
  const isView = type.key === VIEWS;
  const rows = await db.rows(sql`
    select r.id::text as id, (${name})::text as name,
      ${isView ? sql`r.controller, coalesce(r.query::jsonb ->> 'ui_helper', r.ui_helper)` : sql`null as controller, null`} as ui_helper
    from ${ident(type.table)} r where ${mayRead(caller, type, "r", "few")} and r.deleted = 0 and ${isAmongIds(type, ids)}`);
  return rows.flatMap((row) => {
    const listed = isView ? findType(snapshot, row.controller ?? "") : undefined;
    if (isView && !(listed && mayOperate(caller, listed, "index"))) return [];
    const shown = listed ?? type;
    return [
      {
        key: keyOf(type, row.id ?? ""),
        controller: type.key,
        id: row.id ?? "",
        name: isView ? snapshot.words(row.name ?? "") : (row.name ?? null),
        label: listed ? listed.plural : type.label,
        icon: shown.icon ?? null,
        lists: listed?.key ?? null,
        ui_helper: row.ui_helper ?? null,
      },
    ];
  });
}

export const favorites: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const caller = requireCaller(context);
    return { body: { data: { favorites: await readFavorites(context.services.database, context.snapshot, caller) } } };
  },
};

type Change = (
  keys: readonly string[],
  db: Queryable,
  caller: Caller,
) => readonly string[] | Promise<readonly string[]>;

const changing = (message: "favorite_added" | "favorite_removed" | "favorites_saved", change: ChangeOf): Operation => ({
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context): Promise<JsonResult> {
    const caller = requireCaller(context);
    const { snapshot, services } = context;
    const next = change(context);
    const data = await services.database.transaction(async (transaction) => {
      const key = `favorites ${caller.organizationId} ${caller.userId}`;
      await transaction.run(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
      const keys = await next(await readKeys(transaction, caller), transaction, caller);
      await transaction.run(sql`
        insert into core__favorites (organization_id, user_id, keys)
        values (${caller.organizationId}::bigint, ${caller.userId}::bigint, ${keys}::text[])
        on conflict (organization_id, user_id) do update set keys = excluded.keys`);
      return { favorites: await readFavorites(transaction, snapshot, caller) };
    });
    return { body: { data }, message: [say(message)] };
  },
});

type ChangeOf = (context: OperationContext) => Change;

/** `controller` and `id`: a record that the caller can see. */
export const addFavorite = changing("favorite_added", (context) => {
  const { snapshot } = context;
  const type = findType(snapshot, textAt(context.call.parameters, "controller") ?? "");
  if (!type) throw new Failure("malformed_parameter", { with: { name: "controller", reason: say("unknown_type") } });
  const id = requireRecordId(type, requireId(context));
  return async (keys, db, caller) => {
    if ((await readOf(db, snapshot, caller, type, [id])).length === 0) throw noSuchRecord(type);
    const key = keyOf(type, id);
    if (keys.includes(key)) return keys;
    return [...(keys.length < MOST ? keys : await withRoom(keys, db, snapshot, caller)), key];
  };
});

/** What a person no longer sees can't be removed by hand: the oldest of it makes room. */
async function withRoom(
  keys: readonly string[],
  db: Queryable,
  snapshot: Snapshot,
  caller: Caller,
): Promise<readonly string[]> {
  const seen = new Set((await readFavorites(db, snapshot, caller)).map(({ key }) => key));
  const unseen = keys.find((key) => !seen.has(key));
  if (unseen === undefined) throw new Failure("conflict", { with: { reason: say("favorites_full", { max: MOST }) } });
  return keys.filter((key) => key !== unseen);
}

/** Of whatever it was: it may be gone meanwhile, and so may its type. */
export const removeFavorite = changing("favorite_removed", (context) => {
  const controller = textAt(context.call.parameters, "controller") ?? "";
  const type = findType(context.snapshot, controller);
  const id = requireId(context);
  const key = type ? keyOf(type, requireRecordId(type, id)) : `${controller}/${id}`;
  return (keys) => keys.filter((one) => one !== key);
});

/** `keys`: the order; those that are not favorites are passed over, favorites that are not named come after. */
export const arrangeFavorites = changing("favorites_saved", (context) => {
  const { keys: sent } = context.call.parameters;
  const order = Array.isArray(sent) ? sent.filter((key): key is string => typeof key === "string") : undefined;
  if (!order) throw new Failure("malformed_parameter", { with: { name: "keys", reason: say("must_be_list") } });
  const wanted = new Set(order);
  return (keys) => {
    const known = new Set(keys);
    return [...[...wanted].filter((key) => known.has(key)), ...keys.filter((key) => !wanted.has(key))];
  };
});
