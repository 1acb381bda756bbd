// The statement that finds the file in a field of a record that the caller may read.
import type { Caller } from "../access/caller.ts";
import { mayRead } from "../access/visibility.ts";
import { ident, type Sql, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { formPointer } from "./form-pointer.ts";
import { idTypeOf } from "./lock-rows.ts";

export const heldFile = (caller: Caller, type: RecordType, id: string, field: string): Sql => sql`
  select f.storage_key, f.thumbnail_key, f.file_name, f.mime_type, f.size::text as size, ${formPointer(caller, type)} as form
  from ${ident(type.table)} r
  join core__files f on f.organization_id = ${caller.organizationId}::bigint and f.id = r.${ident(field)}
  where ${mayRead(caller, type, "r", "few")} and r.id = ${id}::${idTypeOf(type)} and r.deleted = 0`;
