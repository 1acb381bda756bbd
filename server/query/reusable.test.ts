import { expect, test } from "vitest";
import { compile, ident, join, sql } from "../database/sql.ts";
import { MARK, reusable } from "./reusable.ts";

test("writes the same text and values as the statement itself would, for any value", () => {
  const statement = (id: string) =>
    sql`select ${ident("a")}, ${join([sql`${id}::bigint`, sql`${"x"}`])} where ${sql`${id}`} = ${7}`;
  const again = reusable(statement(MARK));
  for (const id of ["1", "42"]) expect(compile(again(id))).toEqual(compile(statement(id)));
});
