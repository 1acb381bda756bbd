// The statements by which a deletion learns what hangs on a record: its own children, and who refers to it.
import type { Caller } from "../access/caller.ts";
import { mayRead, wall } from "../access/visibility.ts";
import { expression, join, quote, type Sql, sql } from "../database/sql.ts";
import type { OwnedAssociation } from "../metadata/associations.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { idTypeOf } from "./lock-rows.ts";

export interface OwnedBranch {
  readonly association: OwnedAssociation;
  readonly parent: RecordType;
  readonly child: RecordType;
  readonly parentIds: readonly string[];
}

/** Rows of: number of the branch, id. `deletedToo`: also what is in the recycle bin. */
export function ownedRows(caller: Caller, branches: readonly OwnedBranch[], deletedToo: boolean): Sql {
  return join(
    branches.map(({ association, parent, child, parentIds }, index) => {
      const tie =
        association.kind === "has-many"
          ? sql`r.${expression(quote(association.via))} = any(${parentIds}::${idTypeOf(parent)}[])`
          : sql`r.related_type = ${parent.key} and r.related_id = any(${parentIds}::text[])`;
      return sql`select ${expression(`'${index}'::text`)}, r.id::text from ${expression(quote(child.table))} r
        where ${wall(caller, child, "r")} and ${tie} ${deletedToo ? sql`` : sql`and r.deleted = 0`}`;
    }),
    " union all ",
  );
}

export interface ReferringField {
  readonly type: RecordType;
  readonly field: string;
  /** Rows that go along anyway. */
  readonly except: readonly string[];
}

/** How many rows of each field are named before the rest is only counted. */
export const MOST_NAMED = 10;

/** Rows of: number of the field, id, display text where the caller may read the row, how many there are of the field. */
export function referringRows(
  caller: Caller,
  target: RecordType,
  id: string,
  fields: readonly ReferringField[],
  deletedToo: boolean,
): Sql {
  return join(
    fields.map(({ type, field, except }, index) => {
      const display = type.field.get(type.displayField);
      const text = display ? typeOf(display).select(display, (column) => `r.${quote(column)}`) : "r.id";
      return sql`(select ${expression(`'${index}'::text`)}, r.id::text,
          case when ${mayRead(caller, type, "r")} then ${expression(`(${text})::text`)} end, count(*) over ()::text
        from ${expression(quote(type.table))} r
        where ${wall(caller, type, "r")} and r.${expression(quote(field))} = ${id}::${idTypeOf(target)}
          ${deletedToo ? sql`` : sql`and r.deleted = 0`} and not r.id = any(${except}::${idTypeOf(type)}[])
        order by r.id limit ${MOST_NAMED})`;
    }),
    " union all ",
  );
}
