// Takes a record and the people who have it open; returns those the caller gets to see: others who can read the record, and
// whose user record the caller can read. For a record the caller cannot read, nobody is returned.
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { usersWhoRead } from "../../access/readers.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import type { Doing, Visitors } from "./presence.ts";

export interface Present {
  readonly id: string;
  readonly name: string;
  readonly doing: Doing;
}

const MOST = 50;

export async function readPresent(
  db: Database,
  snapshot: Snapshot,
  caller: Caller,
  { type, id }: { readonly type: RecordType; readonly id: string },
  { doing }: Visitors,
): Promise<readonly Present[]> {
  const others = [...doing.keys()].filter((userId) => userId !== caller.userId).slice(0, MOST);
  const users = requireType(snapshot, "access_controls/users");
  const { visible } = fieldMask(users, caller);
  if (others.length === 0 || !visible.has("name")) return [];
  const rows = await db.rows(
    usersWhoRead(
      caller.organizationId,
      { type, id, idType: idTypeOf(type) },
      sql`u.id = any(${others}::bigint[]) and ${mayRead(caller, users, "u", "few")}`,
      sql`order by u.name, u.id`,
    ),
  );
  return rows.flatMap(({ id, name: full, user_name }) => {
    const name = full ?? (visible.has("user_name") ? user_name : undefined);
    // Of somebody without a name that the caller may see, there is nothing to tell.
    return id && name ? [{ id, name, doing: doing.get(id) ?? "view" }] : [];
  });
}
