// Returns the SQL that selects the form in force for a record type, so a statement that reads a record also finds its form.
import type { Caller } from "../access/caller.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";

/** A scalar of a statement: `<id> <revision>` of the form in force, or NULL. The one that was saved last wins. */
export const formPointer = (caller: Caller, type: RecordType): Sql => sql`
  (select f.id || ' ' || f.revision from core__forms f
   where f.organization_id = ${caller.organizationId}::bigint and f.controller = ${type.key} and f.is_default = 1 and f.deleted = 0
   order by f.modified desc, f.id desc limit 1)`;
