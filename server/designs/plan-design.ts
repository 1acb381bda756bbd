// Takes a design and what is stored; gives what applying it would do, thing by thing, what it would lose and whom it speaks of that is
// not here. Reads alone.
import { createHash } from "node:crypto";
import type { Becomes, ViewPart } from "../../contract/field-uses.ts";
import type { Queryable } from "../database/database.ts";
import { ident, sql } from "../database/sql.ts";
import type { TimeLimit } from "../metadata/changes/convert-fields.ts";
import type { DesignRequest } from "../metadata/changes/design-request.ts";
import { extend, readExtension } from "../metadata/extension.ts";
import type { ChangePreview } from "../metadata/preview-changes.ts";
import type { RecordTypeDefinition } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { builtInTypes } from "../modules/index.ts";
import { type Difference, differences } from "./compare.ts";
import {
  type Content,
  type Design,
  DesignFileFault,
  type DesignItem,
  designKinds,
  isSameJson,
  type Json,
  nameOf,
} from "./design.ts";
import { withIds } from "./people-names.ts";
import { readStored, type Stored, type StoredItem } from "./read-stored.ts";
import { cutTo } from "./translations/translation-list.ts";

export type PlannedAction = "add" | "change" | "remove" | "unchanged";

export interface PlannedItem {
  readonly kind: DesignItem["kind"];
  readonly key: string;
  readonly name: string;
  readonly action: PlannedAction;
  readonly changes: readonly Difference[];
}

/** Values that would leave a type; `field` is null where the whole type goes. */
export interface Loss {
  readonly type: string;
  readonly field: string | null;
  readonly values: number;
}

/** What uses a field that goes or is converted, and what becomes of it; what stays as it is is not told. */
export interface AffectedUse {
  readonly type: string;
  readonly field: string;
  /** `view`, `form`, `workflow`, …; `other`: only counted. */
  readonly kind: string;
  /** The record type where it is used. */
  readonly controller: string;
  readonly name: string;
  /** Of a record; else null. */
  readonly id: string | null;
  readonly count?: number;
  readonly becomes: Becomes;
  /** Of a view: what it does with the field and can't do any more. */
  readonly loses: readonly ViewPart[];
}

export interface DesignPlan {
  readonly items: readonly PlannedItem[];
  readonly losses: readonly Loss[];
  /** Only a preview tells them. */
  readonly uses?: readonly AffectedUse[];
  /** How many more of them there are. */
  readonly uses_left_out?: number;
  /** 0: some are left out, or there was no time to look for all. */
  readonly uses_complete?: 0 | 1;
  /** Users and groups that are not here, and what speaks of them. */
  readonly missing: readonly { readonly in: string; readonly name: string }[];
  /** Of what it was made from. */
  readonly fingerprint: string;
}

/** What is to be done with one thing. */
export interface Step {
  readonly item: DesignItem;
  readonly stored: StoredItem | undefined;
  readonly action: PlannedAction;
}

export interface Planned {
  readonly plan: DesignPlan;
  readonly steps: readonly Step[];
  readonly stored: Stored;
  readonly requests: readonly DesignRequest[];
  /** Of each request: the type that it is about, and its fields that get another name. */
  readonly changes: readonly (Pick<ChangePreview, "renamed"> & { readonly key: string })[];
}

export interface PlanOptions {
  /** Also takes away what people designed here and the design does not have. */
  readonly prune?: boolean | undefined;
  /** Takes these away, as `<kind> <key>`. */
  readonly remove?: readonly string[] | undefined;
  /** Of the entry that it takes back: fields that were removed come back with their values. */
  readonly rollsBack?: string | undefined;
  /** For as long as values are looked through, where it is only tried. */
  readonly limit?: TimeLimit | undefined;
}

export async function planDesign(
  db: Queryable,
  metadata: MetadataStore,
  snapshot: Snapshot,
  organizationId: string,
  design: Design,
  { prune = false, remove = [], rollsBack, limit }: PlanOptions = {},
): Promise<Planned> {
  const stored = await readStored(db, snapshot, organizationId);
  const wanted: Step[] = [];
  // A rollback means the modules by their keys.
  for (const item of rollsBack === undefined ? knownHere(stored.items, design.items) : design.items)
    wanted.push(await stepOf(db, snapshot, organizationId, stored.items, item));
  const kept = new Set(wanted.map((step) => step.stored));
  const going = stored.items.filter(
    (one) =>
      !one.isDeleted &&
      !kept.has(one) &&
      (remove.includes(`${one.kind} ${one.key}`) ||
        (prune && !one.isShipped && one.kind !== "navigation" && one.kind !== "translations")),
  );
  const steps = [...wanted, ...going.map((one): Step => ({ item: one, stored: one, action: "remove" }))].sort(
    (one, other) => designKinds.indexOf(one.item.kind) - designKinds.indexOf(other.item.kind),
  );
  // It is in force where it was exported, or was here.
  const requests = steps.flatMap(requestOf).map((request) => ({ ...request, comesBack: true }));
  const changes = await metadata.preview(requests, db, limit);
  const missing = wanted.flatMap(({ item, action }) => {
    const names = new Set<string>();
    if (action !== "unchanged") withIds(item.content, stored.people, (name) => names.add(name));
    return [...names].map((name) => ({ in: nameOf(item), name }));
  });
  const losses = [
    ...changes.flatMap(({ key, discarded }) =>
      discarded.filter(({ values }) => values > 0).map(({ field, values }) => ({ type: key, field, values })),
    ),
    ...(await typesLost(db, snapshot, steps)),
  ];
  return {
    steps,
    stored,
    changes,
    requests: requests.map((request, index) => ({
      ...request,
      discard: changes[index]?.discarded.map(({ field }) => field) ?? [],
      convert: changes[index]?.converted.map(({ field }) => field) ?? [],
      ...(rollsBack === undefined ? {} : { restore: fieldNames(request.definition) }),
    })),
    plan: {
      items: steps.map((step) => plannedItem(snapshot, design, step)),
      losses,
      missing,
      fingerprint: fingerprintOf(design, steps),
    },
  };
}

const plannedItem = (snapshot: Snapshot, design: Design, { item, stored, action }: Step): PlannedItem => ({
  kind: item.kind,
  key: item.key,
  name: calledHere(snapshot, design, item),
  action,
  changes: action === "change" ? differences(stored && comparable(stored, item), wantedContent(item, stored)) : [],
});

/** What has no name of its own is called like the record type that it is about, which may come with the design. */
function calledHere(snapshot: Snapshot, { items }: Design, item: DesignItem): string {
  const name = nameOf(item);
  if (name !== item.key) return name;
  const type = snapshot.types.get(item.key);
  if (type) return `${type.plural} (${item.key})`;
  const coming = items.find(({ kind, key }) => kind === "record_types" && key === item.key);
  return coming ? nameOf(coming) : name;
}

function fingerprintOf(design: Design, steps: readonly Step[]): string {
  const text = JSON.stringify([design.items, steps.map(({ stored, action }) => [stored?.content ?? null, action])]);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

async function stepOf(
  db: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  all: readonly StoredItem[],
  item: DesignItem,
): Promise<Step> {
  if (item.kind === "records") {
    const action = (await hasRecords(db, snapshot, organizationId, item.key)) ? "unchanged" : "add";
    return { item, stored: undefined, action };
  }
  const ofKind = all.filter(({ kind }) => kind === item.kind);
  const natural = `${String(item.content.controller)} ${String(item.content.name)}`;
  const stored =
    ofKind.find(({ key, isDeleted }) => key === item.key && !isDeleted) ??
    ofKind.find((one) => one.natural === natural && !one.isDeleted) ??
    ofKind.find(({ key }) => key === item.key);
  if (stored === undefined || stored.isDeleted) return { item, stored, action: "add" };
  const isSame = isSameJson(comparable(stored, item), wantedContent(item, stored));
  return { item, stored, action: isSame ? "unchanged" : "change" };
}

/** Modules used to be called `module`, `module_2`, … on every installation: one with another label is another one. */
function knownHere(all: readonly StoredItem[], items: readonly DesignItem[]): readonly DesignItem[] {
  const modules = all.filter(({ kind }) => kind === "navigation");
  const isOther = ({ kind, key, content }: DesignItem): boolean =>
    kind === "navigation" &&
    /^module(_\d{1,9})?$/u.test(key) &&
    modules.some((one) => one.key === key && one.content.label !== content.label);
  const given = new Set(items.flatMap((item) => (item.kind === "navigation" && !isOther(item) ? [item.key] : [])));
  return items.map((item) => {
    if (!isOther(item)) return item;
    const { label } = item.content;
    const same = modules.find((one) => one.content.label === label && !given.has(one.key));
    const words =
      String(label)
        .toLowerCase()
        .match(/[a-z0-9]+/gu) ?? [];
    const wanted = ["module", ...words].join("_").slice(0, 36);
    const isTaken = (key: string): boolean => given.has(key) || modules.some((one) => one.key === key);
    let key = same?.key ?? wanted;
    for (let number = 2; !same && isTaken(key); number += 1) key = `${wanted}_${number}`;
    given.add(key);
    return { ...item, key, content: { ...item.content, name: key } };
  });
}

/** What is meant, as it would be read back: where the thing has another id here, under that. */
function wantedContent({ kind, content }: DesignItem, stored: StoredItem | undefined): Json {
  const said = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
  if (kind === "roles") {
    const operations = Object.entries((content.operations ?? {}) as Content).map(([type, list]) => [
      type,
      Array.isArray(list) ? [...(list as readonly string[])].sort() : list,
    ]);
    return { ...said, operations: Object.fromEntries(operations) };
  }
  if (kind === "views")
    return { ...said, query: { ui_helper: "table", ...((content.query ?? {}) as Content) }, id: stored?.key ?? null };
  return content.id === undefined ? said : { ...said, id: stored?.key ?? content.id };
}

/** Entries of a module and translations that a design says nothing of are nobody's difference. */
function comparable({ content }: StoredItem, item: DesignItem): Json {
  if (item.kind === "views")
    return { ...content, query: { ui_helper: "table", ...((content.query ?? {}) as Content) } };
  if (item.kind === "translations") return cutTo(content, item.content);
  if (item.kind !== "navigation") return content;
  const keys = entriesOf(item.content).map(({ key }) => key);
  const { position, icon, ...rest } = content;
  return {
    ...rest,
    ...(item.content.icon === undefined || icon === undefined ? {} : { icon }),
    ...(item.content.position === undefined || position === undefined ? {} : { position }),
    entries: entriesOf(content).filter(({ key }) => keys.includes(key ?? null)),
  };
}

const entriesOf = (content: Content): readonly Content[] => (Array.isArray(content.entries) ? content.entries : []);

/** A record type to be saved, as a designer would send it. */
function requestOf({ item, action }: Step): readonly DesignRequest[] {
  if (item.kind === "record_types")
    return action === "add" || action === "change" ? [{ definition: item.content }] : [];
  if (item.kind !== "extensions" || action === "unchanged") return [];
  const shipped = builtInTypes.find(({ module, controller }) => `${module}/${controller}` === item.key);
  if (!shipped) throw new DesignFileFault(`This version has no built-in record type ${item.key} to extend.`);
  return [{ definition: action === "remove" ? shipped : extendedBy(shipped, item) }];
}

const fieldNames = (definition: unknown): readonly string[] =>
  (definition as RecordTypeDefinition).fields.map(({ name }) => name);

function extendedBy(shipped: RecordTypeDefinition, item: DesignItem): RecordTypeDefinition {
  const extension = readExtension(item.content);
  if (!extension) throw new DesignFileFault(`The extension of ${item.key} can't be read by this version.`);
  return extend(shipped, extension);
}

async function hasRecords(db: Queryable, snapshot: Snapshot, organizationId: string, key: string): Promise<boolean> {
  const type = snapshot.types.get(key);
  if (!type) return false;
  return (
    (await db.row(sql`
      select 1 as found from ${ident(type.table)}
      where ${type.scope === "shared" ? sql`true` : sql`organization_id = ${organizationId}::bigint`} limit 1`)) !==
    undefined
  );
}

/** Records of types that go, in all organizations. */
async function typesLost(db: Queryable, snapshot: Snapshot, steps: readonly Step[]): Promise<Loss[]> {
  const losses: Loss[] = [];
  for (const { item, action } of steps) {
    const type = item.kind === "record_types" && action === "remove" ? snapshot.types.get(item.key) : undefined;
    if (!type) continue;
    const row = await db.row(sql`select count(*)::text as count from ${ident(type.table)}`);
    if (Number(row?.count ?? 0) > 0) losses.push({ type: type.key, field: null, values: Number(row?.count) });
  }
  return losses;
}
