// metadata/record_types/uses: everything that uses a field, and what becomes of each when the field is removed, converted or renamed. What
// the caller may not read, and what other organizations have, is counted and not named. Changes nothing.
import { Failure } from "../../../contract/failures.ts";
import { type Becomes, type ViewPart, viewPartNames } from "../../../contract/field-uses.ts";
import { say } from "../../../contract/messages.ts";
import type { Caller } from "../../access/caller.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, type Sql, sql } from "../../database/sql.ts";
import type { ReadUses } from "../../designs/affected-uses.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { isUnderWay } from "../../metadata/uses/needed-by-transitions.ts";
import {
  type DocumentKind,
  fieldsInConditions,
  fieldsUsed,
  transitionFields,
} from "../../metadata/uses/uses-in-documents.ts";
import { type DesignUse, usesInTypes } from "../../metadata/uses/uses-in-types.ts";
import type { Operation } from "../../operations/operation.ts";
import { requireCaller, requireDesigner } from "../../operations/require-caller.ts";
import { textAt } from "../../request/tree.ts";
import { typeNames } from "../../webhooks/webhook.ts";
import { readTiles } from "../core/tiles.ts";
import { viewParts } from "./lost-parts.ts";

export interface FieldUse {
  readonly kind: DocumentKind | DesignUse["kind"] | "dashboard" | "role" | "other";
  /** The record type where it is used. */
  readonly controller: string;
  readonly name: string;
  /** Of a record; else null. */
  readonly id: string | null;
  /** Of a view: it is on a dashboard. */
  readonly is_pinned?: 0 | 1;
  /** Of what is only counted. */
  readonly count?: number;
  /** Of a view: what it does with the field beside showing it, and what of that it can't do once the field is converted. */
  readonly does?: readonly ViewPart[];
  readonly loses?: readonly ViewPart[];
  readonly on_remove: Becomes;
  readonly on_convert: Becomes;
  readonly on_rename: Becomes;
}

const documents = { on_remove: "left_out", on_convert: "stays", on_rename: "by_alias" } as const;
/** They call a field by its name alone. */
const named = { ...documents, on_rename: "prevents" } as const;
/** Of the type itself: a definition is sent as a whole. */
const designs = { on_remove: "prevents", on_convert: "checked", on_rename: "renamed" } as const;
const otherDesigns = { ...designs, on_rename: "prevents" } as const;
/** Who may read a record would change without anybody deciding it (policies-in-use.ts). */
const policies = { on_remove: "prevents", on_convert: "prevents", on_rename: "prevents" } as const;
const conditions = { on_remove: "turned_off", on_convert: "may_turn_off", on_rename: "by_alias" } as const;

const becomes = { view: documents, form: named, workflow: named, policy: policies, webhook: conditions } as const;

interface Source {
  readonly kind: DocumentKind;
  readonly type: string;
  readonly controller: string;
  readonly document: string;
}
const sources: readonly Source[] = [
  { kind: "view", type: "core/listviews", controller: "controller", document: "query" },
  { kind: "form", type: "core/forms", controller: "controller", document: "definition" },
  { kind: "workflow", type: "core/workflows", controller: "controller", document: "definition" },
  { kind: "policy", type: "access_controls/policies", controller: "record_type", document: "policy" },
  { kind: "webhook", type: "core/webhooks", controller: "record_types", document: "condition" },
];

/** Documents that are looked into, of the own organization and of others; a page is in memory at a time. */
const MOST = 2_000;
const PAGE = 100;

interface Question {
  readonly db: Queryable;
  readonly snapshot: Snapshot;
  /** As the types would be; undefined where only the field is known, and not what becomes of it. */
  readonly after?: Snapshot;
  readonly caller: Caller;
  readonly key: string;
  readonly fields: readonly string[];
  /** What the own organization has, or what others have; both, unless said. */
  readonly whose?: "own" | "others";
  /** Of performance.now(): what is not found by then is left out. */
  readonly until?: number | undefined;
}

const isLate = ({ until }: Question): boolean => until !== undefined && performance.now() > until;

export interface FoundUses {
  readonly byField: Readonly<Record<string, readonly FieldUse[]>>;
  /** Everything was looked into. */
  readonly isComplete: boolean;
}

export async function usesOf(question: Question): Promise<FoundUses> {
  const { snapshot, key, fields, whose } = question;
  const found = new Map<string, FieldUse[]>();
  for (const field of fields) {
    const inTypes = (whose === "others" ? [] : usesInTypes(snapshot, key, field)).map(({ kind, type, label }) => ({
      kind,
      controller: type,
      name: label,
      id: null,
      ...(type === key ? designs : otherDesigns),
      ...(kind === "index" ? ({ on_convert: "stays" } as const) : {}),
      ...(kind === "lookup" && type !== key ? ({ on_rename: "by_alias" } as const) : {}),
    }));
    found.set(field, inTypes);
  }
  const others = new Map<string, { count: number; readonly loses: Set<ViewPart> }>();
  const add: Add = (used, use, loses = []) => {
    for (const field of used) {
      if (use) found.get(field)?.push(use);
      else {
        const known = others.get(field) ?? { count: 0, loses: new Set() };
        known.count += 1;
        for (const part of loses) known.loses.add(part);
        others.set(field, known);
      }
    }
  };
  const views = new Map<string, FieldsOfView>();
  let isComplete = true;
  for (const source of sources) isComplete = (await addDocuments(question, source, views, add)) && isComplete;
  if (isLate(question)) isComplete = false;
  else {
    await addDashboards(question, views, add);
    await addRoles(question, add);
  }
  const byField = Object.fromEntries(
    fields.map((field) => {
      const { count = 0, loses = new Set<ViewPart>() } = others.get(field) ?? {};
      // Which of them are views is not told.
      const lost = loses.size > 0 ? ({ loses: inOrder(loses), on_convert: "may_ignore_parts" } as const) : {};
      const unnamed: FieldUse = { kind: "other", controller: key, name: "", id: null, count, ...documents, ...lost };
      return [field, [...(found.get(field) ?? []), ...(count > 0 ? [unnamed] : [])]];
    }),
  );
  return { byField, isComplete };
}

/** For the preview of a design. */
export const usesFor =
  (caller: Caller): ReadUses =>
  (question) =>
    usesOf({ ...question, caller });

/** What becomes of a view when one of its fields is converted, where that is something. */
type ViewChange = Pick<FieldUse, "does" | "loses"> & { readonly on_convert?: Becomes };

/** By the fields that a view uses. */
type FieldsOfView = ReadonlyMap<string, ViewChange>;

/** Without a use: only counted, with what views of it lose. */
type Add = (used: Iterable<string>, use: FieldUse | undefined, loses?: readonly ViewPart[]) => void;

const names = (column: Sql, texts: readonly string[]): Sql =>
  sql`exists (select 1 from unnest(${texts}::text[]) wanted where strpos(${column}, wanted) > 0)`;

const isOwn = ({ caller }: Question, alias: string): Sql =>
  sql`${ident(alias, "organization_id")} = ${caller.organizationId}::bigint`;

/** Whether all of them were looked into. */
async function addDocuments(
  question: Question,
  source: Source,
  views: Map<string, FieldsOfView>,
  add: Add,
): Promise<boolean> {
  const { db, snapshot, caller, key, fields } = question;
  const { kind } = source;
  const type = requireType(snapshot, source.type);
  const document = sql`r.${ident(source.document)}::text`;
  const name = ident(kind === "policy" ? "record_type" : "name");
  const pinned = kind === "view" ? sql`r.is_pinned::text` : sql`null::text`;
  const own = isOwn(question, "r");
  const target = snapshot.types.get(key);
  const inUse =
    kind === "workflow" && target?.field.has("current_stage")
      ? sql`(r.is_active = 1 or ${isUnderWay(target, "r", sql`r.version`)})::integer::text`
      : sql`null::text`;
  const aliases = target?.fieldAliases ?? new Map<string, string>();
  const known = [...fields, ...[...aliases].flatMap(([alias, name]) => (fields.includes(name) ? [alias] : []))];
  const told: [string, FieldUse][] = [];
  let isComplete = true;
  for (const isMine of question.whose === undefined ? [true, false] : [question.whose === "own"]) {
    const isTold = isMine ? sql`case when ${mayRead(caller, type, "r", "few")} then '1' else '0' end` : sql`'0'`;
    let after = sql`true`;
    for (let seen = 0; ; seen += PAGE) {
      if (seen >= MOST || isLate(question)) {
        isComplete = false;
        break;
      }
      const rows = await db.rows(sql`
        select r.organization_id::text as organization_id, r.id::text as id, r.${name} as name,
          r.${ident(source.controller)} as controller, ${document} as document, ${pinned} as pinned, ${isTold} as told,
          ${inUse} as in_use
        from ${ident(type.table)} r
        where ${isMine ? own : sql`not (${own})`} and r.deleted = 0 and ${names(document, known)} and ${after}
        order by r.organization_id, r.id limit ${PAGE}::integer`);
      for (const row of rows) {
        if (isLate(question)) {
          isComplete = false;
          break;
        }
        const types = typeNames(row.controller ?? null).flatMap((one) => snapshot.types.get(one) ?? []);
        const used = new Set(
          types.flatMap((of) => fieldsUsed(kind, readJson(row.document), { snapshot, type: of }, key)),
        );
        const asked = new Set(fields.filter((field) => used.has(field)));
        const parts = kind === "view" ? changedIn(question, types, row.document) : noParts;
        if (kind === "view" && isMine)
          views.set(row.id ?? "", new Map([...asked].map((one) => [one, parts.get(one) ?? {}])));
        if (row.told !== "1") for (const field of asked) add([field], undefined, parts.get(field)?.loses);
        else {
          const of = types.find((one) => one.key === key) ?? types[0];
          const use = {
            kind,
            controller: of?.key ?? key,
            name: kind === "policy" ? (of?.plural ?? "") : (row.name ?? ""),
            id: row.id ?? null,
            ...(kind === "view" ? { is_pinned: row.pinned === "1" ? (1 as const) : (0 as const) } : {}),
            ...becomes[kind],
          };
          const removed = kind === "workflow" && of?.key === key ? removedFrom(row.document, row.in_use === "1") : none;
          for (const field of asked) {
            const on_remove = removed.get(field) ?? use.on_remove;
            told.push([field, { ...use, on_remove, ...parts.get(field) }]);
          }
        }
      }
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) break;
      after = sql`(r.organization_id, r.id) > (${last.organization_id ?? null}::bigint, ${last.id ?? null}::${type.idKind === "uuid" ? sql`uuid` : sql`bigint`})`;
    }
  }
  told.sort(([, one], [, other]) => one.name.localeCompare(other.name));
  for (const [field, use] of told) add([field], use);
  return isComplete;
}

const none: ReadonlyMap<string, Becomes> = new Map();

/** Of a workflow: what it does without a field that one of its conditions, or who can take one of its transitions, depends on. */
function removedFrom(document: string | null | undefined, isInUse: boolean): ReadonlyMap<string, Becomes> {
  const definition = readJson(document);
  // Records would stay where they are (needed-by-transitions.ts).
  const needed = isInUse ? "prevents" : "unmet";
  const transitions = transitionFields(definition).flatMap(({ fields }) => fields);
  return new Map<string, Becomes>([
    // Conditions of what it does besides are never met.
    ...fieldsInConditions(definition).map((field) => [field, "unmet"] as const),
    ...transitions.map((field) => [field, needed] as const),
  ]);
}

const noParts: FieldsOfView = new Map();

const inOrder = (parts: Iterable<ViewPart>): readonly ViewPart[] => {
  const found = new Set(parts);
  return viewPartNames.filter((part) => found.has(part));
};

/** Of a view: what it does with a field that has another type. */
function changedIn(question: Question, types: readonly RecordType[], query: string | null | undefined): FieldsOfView {
  const on_convert = question.after ? "parts_ignored" : "may_ignore_parts";
  return new Map(
    types.flatMap((type) =>
      [...viewParts(question, type, query ?? null)].map(([field, { does, loses }]): [string, ViewChange] => [
        field,
        { does: inOrder(does), ...(loses.size > 0 ? { loses: inOrder(loses), on_convert } : {}) },
      ]),
    ),
  );
}

/** Dashboards of the own organization that show a view which uses the field. */
async function addDashboards(question: Question, views: ReadonlyMap<string, FieldsOfView>, add: Add): Promise<void> {
  const type = requireType(question.snapshot, "core/team_dashboards");
  const ids = [...views].flatMap(([id, used]) => (used.size > 0 ? [id] : []));
  if (ids.length === 0) return;
  const rows = await question.db.rows(sql`
    select r.id::text as id, r.name, r.tiles::text as tiles,
      case when ${mayRead(question.caller, type, "r", "few")} then '1' else '0' end as told
    from ${ident(type.table)} r
    where ${isOwn(question, "r")} and r.deleted = 0 and ${names(sql`r.tiles::text`, ids)}
    order by r.name, r.id limit ${MOST}::integer`);
  for (const { id, name, tiles, told } of rows) {
    const used = new Map<string, ViewChange>();
    for (const tile of readTiles(tiles) ?? [])
      for (const [field, { loses = [], on_convert }] of views.get(tile.id) ?? noParts) {
        const before = used.get(field);
        const lost = inOrder([...loses, ...(before?.loses ?? [])]);
        const change = on_convert ?? before?.on_convert;
        used.set(field, change === undefined ? {} : { loses: lost, on_convert: change });
      }
    const use = { kind: "dashboard", controller: type.key, name: name ?? "", id: id ?? null, ...documents } as const;
    for (const [field, change] of used) add([field], told === "1" ? { ...use, ...change } : undefined, change.loses);
  }
}

async function addRoles(question: Question, add: Add): Promise<void> {
  const { db, key, fields, whose } = question;
  const own = isOwn(question, "o");
  const wanted = whose === undefined ? sql`true` : whose === "own" ? own : sql`not (${own})`;
  const rows = await db.rows(sql`
    select o.field, r.name, case when ${own} then '1' else '0' end as told
    from access_controls__role_fields o
    join access_controls__roles r on r.organization_id = o.organization_id and r.id = o.role_id and r.deleted = 0
    where o.record_type = ${key} and o.field = any(${fields}::text[]) and o.deleted = 0 and ${wanted}
    order by r.name limit ${MOST}::integer`);
  for (const { field, name, told } of rows) {
    const use = {
      kind: "role",
      controller: key,
      name: name ?? "",
      id: null,
      ...documents,
      on_rename: "renamed",
    } as const;
    add([field ?? ""], told === "1" ? use : undefined);
  }
}

function readJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

export const uses: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    const { parameters } = context.call;
    const type = requireType(context.snapshot, textAt(parameters, "key") ?? "");
    const name = textAt(parameters, "field") ?? "";
    if (!type.field.has(name)) {
      throw new Failure("malformed_parameter", { with: { name: "field", reason: say("missing_field", { name }) } });
    }
    const { snapshot, services } = context;
    const caller = requireCaller(context);
    const found = await usesOf({ db: services.database, snapshot, caller, key: type.key, fields: [name] });
    return { body: { data: { uses: found.byField[name] } } };
  },
};
