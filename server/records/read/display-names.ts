// Gives the display texts of referenced records, from memory while the referenced table has not changed. A record that
// the caller may not read has none, nor has one whose name is hidden from the caller.
import type { AclDirectory } from "../../access/acl-directory.ts";
import type { Caller } from "../../access/caller.ts";
import { seesName } from "../../access/field-mask.ts";
import type { Database } from "../../database/database.ts";
import { expression, ident, quote, sql } from "../../database/sql.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";

interface Named {
  readonly name: string | null;
  readonly aclId: string;
}

export interface DisplayNames {
  /** `version` is the referenced table's, as the statement that read the ids saw it. */
  namesOf(
    caller: Caller,
    type: RecordType,
    version: string,
    ids: ReadonlySet<string>,
  ): Promise<(id: string) => string | null>;
}

const MAX_NAMES = 50_000;

export function createDisplayNames(db: Database, directory: AclDirectory): DisplayNames {
  const tables = new Map<string, { version: string; names: Map<string, Named> }>();
  return {
    namesOf: async (caller, type, version, ids) => {
      if (!seesName(type, caller)) return () => null;
      const organizationId = type.scope === "shared" ? "0" : caller.organizationId;
      const key = `${organizationId} ${type.key}`;
      let table = tables.get(key);
      if (table?.version !== version) {
        table = { version, names: new Map() };
        tables.set(key, table);
      }
      const { names } = table;
      const missing = [...ids].filter((id) => !names.has(id));
      if (missing.length > 0) {
        if (names.size + missing.length > MAX_NAMES) names.clear();
        const display = type.field.get(type.displayField);
        const text = display ? expression(typeOf(display).select(display, (column) => quote(column))) : sql`id`;
        const shared = type.scope === "shared";
        const idType = type.idKind === "uuid" ? sql`uuid[]` : sql`bigint[]`;
        const rows = await db.rows(sql`
          select id::text as id, (${text})::text as name, ${shared ? sql`'0'` : sql`acl_id::text`} as acl_id
          from ${ident(type.table)}
          where ${shared ? sql`true` : sql`organization_id = ${organizationId}::bigint`} and id = any(${missing}::${idType})`);
        for (const row of rows) names.set(row.id ?? "", { name: row.name ?? null, aclId: row.acl_id ?? "0" });
      }
      const readable = type.scope === "shared" ? undefined : (await directory.view(caller, type)).readable;
      return (id) => {
        const named = names.get(id);
        if (!named || (readable !== undefined && !readable.has(named.aclId))) return null;
        return named.name;
      };
    },
  };
}
