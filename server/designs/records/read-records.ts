// Takes record types of a design; gives their records as they travel along: called by a name of their own, referring to each other by it, with
// days counted from today. People are left out: records belong to whoever applies the design.
import type { Queryable } from "../../database/database.ts";
import { ident, join, sql } from "../../database/sql.ts";
import { isFilledIn } from "../../fields/field-type.ts";
import { childTypeOf, isOwned, isShown, referencedBy } from "../../metadata/associations.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { wireOf } from "../../metadata/redesign.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import type { Content, DesignItem } from "../design.ts";
import type { PeopleNames } from "../people-names.ts";

const MOST = 1_000;
const DAY_MS = 86_400_000;
/** Further away than this a day is history, and stays what it is. */
const NEAR_DAYS = 1_000;

type Row = Readonly<Record<string, string | null>>;

export async function readRecords(
  db: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  keys: readonly string[],
  _people: PeopleNames,
): Promise<DesignItem[]> {
  const types = keys.map((key) => requireType(snapshot, key));
  const owned = new Set(types.flatMap((type) => ownedOf(type).map((one) => childTypeOf(snapshot, one).key)));
  const rows = new Map<string, readonly Row[]>();
  for (const type of types) rows.set(type.key, await readRows(db, type, organizationId));
  const names = new Map<string, string>();
  for (const type of types) {
    const taken = new Set<string>();
    for (const row of rows.get(type.key) ?? []) {
      const base = slug(row[type.displayField] ?? "") || type.controller.replaceAll("_", "-");
      let name = base;
      for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
      taken.add(name);
      names.set(`${type.key}/${row.id}`, name);
    }
  }
  return types
    .filter(({ key }) => !owned.has(key))
    .flatMap((type): DesignItem[] => {
      const records = (rows.get(type.key) ?? []).map((row) => ({
        id: names.get(`${type.key}/${row.id}`) ?? "",
        ...valuesOf(type, row, names, new Set()),
        ...Object.fromEntries(
          ownedOf(type).flatMap((one) => {
            const child = childTypeOf(snapshot, one);
            const via = one.kind === "has-many" ? one.via : "";
            const own = (rows.get(child.key) ?? []).filter((other) => via !== "" && other[via] === row.id);
            return own.length === 0
              ? []
              : [[one.name, own.map((other) => valuesOf(child, other, names, new Set([via])))]];
          }),
        ),
      }));
      return records.length === 0
        ? []
        : [{ kind: "records", key: type.key, content: { record_type: type.key, records } }];
    });
}

const ownedOf = (type: RecordType) => type.associations.filter(isOwned).filter((one) => !isShown(one));

/** What belongs to people and to the one database it is in. */
const leftOut = new Set(["owned_by", "primary_acl_group", "category_id"]);

const travels = (type: RecordType) =>
  type.fields.filter(
    (field) => !field.system && !isFilledIn(field) && !leftOut.has(field.name) && field.permission !== 4,
  );

async function readRows(db: Queryable, type: RecordType, organizationId: string): Promise<readonly Row[]> {
  const columns = travels(type).map((field) => sql`(${wireOf(field)})::text as ${ident(field.name)}`);
  return db.rows(sql`
    select r.id::text as id, ${join(columns)} from ${ident(type.table)} r
    where r.organization_id = ${organizationId}::bigint and r.deleted = 0 order by r.id limit ${MOST}::integer`);
}

function valuesOf(
  type: RecordType,
  row: Row,
  names: ReadonlyMap<string, string>,
  without: ReadonlySet<string>,
): Content {
  const values: Record<string, string> = {};
  for (const field of travels(type)) {
    const text = row[field.name];
    if (text == null || without.has(field.name)) continue;
    const to = referencedBy(type, field);
    if (to === "access_controls/users") values[field.name] = "@me";
    else if (to !== undefined) {
      const name = names.get(`${to}/${text}`);
      if (name !== undefined) values[field.name] = `@${to}/${name}`;
    } else values[field.name] = isDated(field) ? fromToday(text) : text;
  }
  return values;
}

const isDated = (field: RecordType["fields"][number]): boolean =>
  typeOf(field)
    .columns(field)
    .some((column) => /^(?:date|timestamp)/.test(column.type));

function fromToday(text: string): string {
  const [, day, time = ""] = /^(\d{4}-\d\d-\d\d)( \d\d:\d\d:\d\d)?$/.exec(text) ?? [];
  if (day === undefined) return text;
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  const days = Math.round((Date.parse(day) - today) / DAY_MS);
  if (Math.abs(days) > NEAR_DAYS) return text;
  return `@today${days === 0 ? "" : `${days > 0 ? "+" : ""}${days}d`}${time}`;
}

const slug = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-|-$/gu, "")
    .slice(0, 40);
