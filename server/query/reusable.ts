// Takes a statement with one placeholder value; returns it with any value in that place, without writing the whole
// statement again.
import type { Sql, SqlValue } from "../database/sql.ts";

/** No value that is ever sent: PostgreSQL's texts cannot hold it. */
export const MARK = "\u0000the value goes here";

export function reusable(statement: Sql): (value: SqlValue) => Sql {
  const strings: string[] = [""];
  const values: SqlValue[] = [];
  const write = (part: Sql): void => {
    strings.push((strings.pop() ?? "") + (part.strings[0] ?? ""));
    part.values.forEach((value, index) => {
      if (isSql(value)) write(value);
      else {
        values.push(value);
        strings.push("");
      }
      strings.push((strings.pop() ?? "") + (part.strings[index + 1] ?? ""));
    });
  };
  write(statement);
  return (value) => ({ strings, values: values.map((one) => (one === MARK ? value : one)) });
}

const isSql = (value: Sql | SqlValue): value is Sql =>
  typeof value === "object" && value !== null && "strings" in value;
