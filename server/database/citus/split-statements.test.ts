import { expect, test } from "vitest";
import { readMigrations } from "../migrate.ts";
import { splitStatements } from "./split-statements.ts";

test.each([
  ["", []],
  ["  -- nothing; at all\n", []],
  ["select 1", ["select 1"]],
  ["select 1;\nselect 2;\n", ["select 1", "select 2"]],
  ["select ';'; select 'it''s; so'", ["select ';'", "select 'it''s; so'"]],
  ['select ";"; select 2', ['select ";"', "select 2"]],
  ["-- why; because\nselect 1; -- then; \nselect 2;", ["-- why; because\nselect 1", "-- then; \nselect 2"]],
  ["do $$ begin a; b; end $$; select 2", ["do $$ begin a; b; end $$", "select 2"]],
  ["select 'never ends; ", ["select 'never ends;"]],
])("%j", (text, statements) => {
  expect(splitStatements(text)).toEqual(statements);
});

test("no migration has what it does not know: comments over several lines, other quotes", async () => {
  for (const { name, text } of await readMigrations()) {
    expect([name, /\/\*|\$[a-z]+\$|\be'/iu.exec(text)]).toEqual([name, null]);
    expect([name, splitStatements(text).join("").replaceAll(/[\s;]/gu, "")]).toEqual([
      name,
      text.replaceAll(/[\s;]/gu, ""),
    ]);
  }
});
