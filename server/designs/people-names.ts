// Users and groups within documents of a design: by number where they live, by name where they travel. Takes a document, gives it with
// every such reference turned, and tells of those that nobody answers to.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Json } from "./design.ts";

export interface PeopleNames {
  /** `user:12` → `user:@ada`. */
  readonly toName: ReadonlyMap<string, string>;
  /** `user:@ada` → `user:12`. */
  readonly toId: ReadonlyMap<string, string>;
}

export async function readPeopleNames(db: Queryable, organizationId: string): Promise<PeopleNames> {
  const org = sql`${organizationId}::bigint`;
  const rows = await db.rows<{ at: string; called: string }>(sql`
    select 'user:' || id as at, 'user:@' || user_name as called from access_controls__users
      where organization_id = ${org} and deleted = 0 and user_name is not null
    union all
    select 'group:' || id, 'group:@' || name from access_controls__groups
      where organization_id = ${org} and deleted = 0 and name is not null`);
  return {
    toName: new Map(rows.map(({ at, called }) => [at, called])),
    toId: new Map(rows.map(({ at, called }) => [called, at])),
  };
}

const turned = (value: Json, turn: (text: string) => string): Json => {
  if (typeof value === "string") return turn(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one: Json) => turned(one, turn));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, turned(one, turn)]));
};

export const withNames = (value: Json, { toName }: PeopleNames): Json =>
  turned(value, (text) => toName.get(text) ?? text);

/** `missing` takes what nobody here is called. */
export const withIds = (value: Json, { toId }: PeopleNames, missing: (name: string) => void): Json =>
  turned(value, (text) => {
    if (!text.startsWith("user:@") && !text.startsWith("group:@")) return text;
    const id = toId.get(text);
    if (id === undefined) missing(text);
    return id ?? text;
  });
