// Takes ids by record type; returns the one statement that reads the display texts of those records that the caller may
// read, where what they are called is not hidden. Its text depends on the types and that alone, so it is planned once.
import type { Caller } from "../access/caller.ts";
import { seesName } from "../access/field-mask.ts";
import { mayRead } from "../access/visibility.ts";
import { expression, join, quote, type Sql, sql } from "../database/sql.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";

export interface WantedTexts {
  readonly type: RecordType;
  readonly ids: readonly string[];
}

/** Rows of: number of the type, id, text. Deleted records keep their names: history speaks of them. */
export function compileDisplayTexts(caller: Caller, wanted: readonly WantedTexts[]): Sql {
  return join(
    wanted.map(({ type, ids }, index) => {
      const display = type.field.get(type.displayField);
      const at = (column: string) => `r.${quote(column)}`;
      const isNamed = seesName(type, caller);
      const text = isNamed ? (display ? typeOf(display).select(display, at) : "r.id") : "null";
      const idArray = expression(type.idKind === "uuid" ? "uuid[]" : "bigint[]");
      return sql`select ${expression(`'${index}'::text`)}, r.id::text, ${expression(`(${text})::text`)}
        from ${expression(quote(type.table))} r where r.id = any(${ids}::${idArray}) and ${mayRead(caller, type, "r", "few")}`;
    }),
    " union all ",
  );
}
