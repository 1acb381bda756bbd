import { expect, test } from "vitest";
import { saveScript } from "./save-script.ts";
import { readLog } from "./statement-log.ts";

const log = `2026-01-01 00:00:00.000 UTC [7] LOG:  execute s1: insert into core__auto_numbers as n (last_value)
	values ($1) returning last_value
2026-01-01 00:00:00.000 UTC [7] DETAIL:  Parameters: $1 = '1'
2026-01-01 00:00:00.000 UTC [9] LOG:  statement: begin
2026-01-01 00:00:00.001 UTC [8] LOG:  statement: select 1
2026-01-01 00:00:00.001 UTC [9] LOG:  execute s3: select nextval($1) as "crm__leads"
2026-01-01 00:00:00.001 UTC [9] DETAIL:  Parameters: $1 = 'leads'
2026-01-01 00:00:00.001 UTC [9] LOG:  execute <unnamed>: with logged as (select 1) insert into "crm__leads" ("id", "name", "key", "note")
	values ($4::bigint, $1::text, $2, $3)
2026-01-01 00:00:00.001 UTC [9] DETAIL:  Parameters: $1 = 'O''Neill
	and sons', $2 = 'L-42', $3 = NULL, $4 = '910'
2026-01-01 00:00:00.002 UTC [9] LOG:  execute s2: insert into core__revisions (id, changes) values ($1, $2)
2026-01-01 00:00:00.002 UTC [9] DETAIL:  Parameters: $1 = '910', $2 = '{"key":{"from":null,"to":"L-42"},"id":"910","n":9101}'
2026-01-01 00:00:00.003 UTC [9] LOG:  statement: commit
`;

test("a log is read with values that go over several lines, by connection", () => {
  expect(readLog(log).map(({ process, values }) => [process, values])).toEqual([
    ["7", ["1"]],
    ["9", []],
    ["8", []],
    ["9", ["leads"]],
    ["9", ["O'Neill\nand sons", "L-42", null, "910"]],
    ["9", ["910", '{"key":{"from":null,"to":"L-42"},"id":"910","n":9101}']],
    ["9", []],
  ]);
});

test("an add becomes a script that takes its number and id from the run itself", () => {
  expect(saveScript({ logged: readLog(log), table: "crm__leads", id: "910", number: "L-42" }).split("\n")).toEqual([
    "insert into core__auto_numbers as n (last_value) values ('1') returning last_value",
    "\\gset number_",
    "\\set number 700000000 + :number_last_value",
    "begin;",
    `select nextval('leads') as "crm__leads"`,
    "\\gset id_",
    `with logged as (select 1) insert into "crm__leads" ("id", "name", "key", "note") values (:id_crm__leads::bigint, E'O''Neill\\nand sons'::text, :number, null);`,
    `insert into core__revisions (id, changes) values (:id_crm__leads, ((E'{"key":{"from"\\x3Anull,"to":"' || :number::text || '"},"id":"') || :id_crm__leads::text || '","n":9101}'));`,
    "commit;",
    "",
  ]);
});

test("an edit is of a record that was chosen before", () => {
  const edit = log.replace(/with logged .*\n\tvalues.*/, 'update "crm__leads" set a = $1, b = $2, c = $3');
  const script = saveScript({ logged: readLog(edit), table: "crm__leads", id: "910", before: "\\set record_id 5\n" });
  expect(script).toMatch(
    /^\\set record_id 5\nbegin;\nselect nextval[^;]*update "crm__leads" set a = .*;\ninsert into core__revisions/,
  );
  expect(() => saveScript({ logged: [], table: "crm__leads", id: "910" })).toThrow("no transaction in the log wrote");
});
