// The statements with which a deletion finds a record's children and the records that refer to it.
import type { Caller } from "../access/caller.ts";
import { mayRead, wall } from "../access/visibility.ts";
import { expression, join, quote, type Sql, sql } from "../database/sql.ts";
import type { OwnedAssociation } from "../metadata/associations.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { childTie, idTypeOf } from "./lock-rows.ts";

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
      const tie = childTie(association, parent, parentIds);
      return sql`select ${expression(`'${index}'::text`)}, r.id::text from ${expression(quote(child.table))} r
        where ${wall(caller, child, "r")} and ${tie} ${deletedToo ? sql`` : sql`and r.deleted = 0`}`;
    }),
    " union all ",
  );
}

/** Those of the branches' parents that have live children, as texts; undefined where there can be none. */
export function ownersAmong(caller: Caller, branches: readonly OwnedBranch[]): Sql | undefined {
  if (branches.length === 0) return undefined;
  return join(
    branches.map(({ association, parent, child, parentIds }) => {
      const owner = association.kind === "has-many" ? sql`r.${expression(quote(association.via))}` : sql`r.related_id`;
      return sql`select ${owner}::text from ${expression(quote(child.table))} r
        where ${wall(caller, child, "r")} and ${childTie(association, parent, parentIds)} and r.deleted = 0`;
    }),
    " union ",
  );
}

/** Those of the records that live records name in these fields, as texts; undefined where there can be none. */
export function referredAmong(
  caller: Caller,
  target: RecordType,
  ids: readonly string[],
  fields: readonly Pick<ReferringField, "type" | "field">[],
): Sql | undefined {
  if (fields.length === 0) return undefined;
  return join(
    fields.map(({ type, field }) => {
      const column = sql`r.${expression(quote(field))}`;
      return sql`select ${column}::text from ${expression(quote(type.table))} r
        where ${wall(caller, type, "r")} and ${column} = any(${ids}::${idTypeOf(target)}[]) and r.deleted = 0`;
    }),
    " union ",
  );
}

export interface ReferringField {
  readonly type: RecordType;
  readonly field: string;
  /** Rows that go along anyway. */
  readonly except: readonly string[];
  /** The reference whose record stands for the row, where the row only connects two. */
  readonly far?: string | undefined;
}

/** How many rows of each field are named before the rest is only counted. */
export const MOST_NAMED = 10;

/** Rows of: number of the field, id of what stands for the row where the caller may read the row, how many there are of the field. */
export function referringRows(
  caller: Caller,
  target: RecordType,
  id: string,
  fields: readonly ReferringField[],
  deletedToo: boolean,
): Sql {
  return join(
    fields.map(({ type, field, except, far = "id" }, index) => {
      const named = sql`r.${expression(quote(far))}::text`;
      return sql`(select ${expression(`'${index}'::text`)}, case when ${mayRead(caller, type, "r", "few")} then ${named} end,
          count(*) over ()::text
        from ${expression(quote(type.table))} r
        where ${wall(caller, type, "r")} and r.${expression(quote(field))} = ${id}::${idTypeOf(target)}
          ${deletedToo ? sql`` : sql`and r.deleted = 0`} and not r.id = any(${except}::${idTypeOf(type)}[])
        order by r.id limit ${MOST_NAMED})`;
    }),
    " union all ",
  );
}
