// Kinds of statements that plain PostgreSQL takes and Citus does not, or that would need every machine: none of them comes back.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../../lib/root.ts";
import { localTables } from "../distribution.ts";

interface Found {
  readonly place: string;
  readonly text: string;
}

/** The text behind each `sql` template, with its values, on one line. */
function statements(): Found[] {
  const files = readdirSync(path.join(root, "server"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => path.join("server", file));
  return files.flatMap((file) => {
    const source = readFileSync(path.join(root, file), "utf8");
    return source
      .split("sql`")
      .slice(1)
      .map((rest) => ({ place: file, text: rest.slice(0, rest.search(/`[;,)]/u)).replaceAll(/\s+/gu, " ") }));
  });
}

/** How a value stands in a template. */
const value = (name: string): string => `$${"{"}${name}}`;

const all = statements();
const isLocal = ({ text }: Found): boolean => localTables.some((table) => text.includes(table));
const hasClock = (text: string): boolean =>
  ["now()", value("now"), "clock_timestamp()"].some((word) => text.includes(word));
const places = (found: readonly Found[]): string[] => found.map(({ place, text }) => `${place}: ${text.slice(0, 120)}`);

test("statements are found", () => {
  expect(all.length).toBeGreaterThan(400);
});

test("what takes the place of a row that is there knows no time of its own: it comes with the row (excluded)", () => {
  const wrong = all.filter((one) => hasClock(one.text.split(" do update ")[1] ?? "") && !isLocal(one));
  expect(places(wrong)).toEqual([]);
});

test("a time that is kept once it is there is written with least, not coalesce", () => {
  const wrong = all.filter(({ text }) =>
    text.split("coalesce(").some((rest, index) => {
      const end = rest.indexOf(")");
      return (
        index > 0 && hasClock(`${rest.slice(0, end)})`) && (text.startsWith("update") || text.startsWith("coalesce"))
      );
    }),
  );
  expect(places(wrong)).toEqual([]);
});

test("no update chooses between a time of its own and that of a row: it is read before", () => {
  const wrong = all.filter(
    ({ text }) =>
      /update .* set /u.test(text) &&
      text
        .split("case when")
        .slice(1)
        .some((rest) => hasClock(rest.split(" end")[0] ?? "")),
  );
  expect(places(wrong)).toEqual([]);
});

test("the time of an update is that of its transaction", () => {
  const wrong = all.filter(
    (one) => one.text.startsWith(" update") && one.text.includes("clock_timestamp()") && !isLocal(one),
  );
  expect(places(wrong)).toEqual([]);
});

/** A distributed table has no work left for later. */
const isForLater = ({ place }: Found): boolean => place.endsWith("metadata/table-work.ts");

test("rows that others have locked are passed over within one organization", () => {
  const wrong = all.filter(
    (one) =>
      one.text.includes("skip locked") &&
      !one.text.includes(value("organization")) &&
      !isLocal(one) &&
      !isForLater(one),
  );
  expect(places(wrong)).toEqual([]);
});

test("no statement names the organization of shared rows beside one of its own", () => {
  expect(places(all.filter(({ text }) => text.includes("organization_id in (0")))).toEqual([]);
});

test("what a write gives back is as it stands in the row: texts of times and arrays depend on settings", () => {
  const wrong = all.filter((one) => {
    const back = one.text.split(" returning ")[1] ?? "";
    return (
      !isLocal(one) &&
      ["array_to_string", "created::text", "modified::text", "at::text"].some((word) => back.includes(word))
    );
  });
  expect(places(wrong)).toEqual([]);
});

/** What comes with the row `r` of any record type, and what its lists look for. */
const isOfEveryRead = ({ place }: Found): boolean =>
  place.startsWith("server/query/") || place.startsWith("server/access/");

test("what is read with a record is told the organization as a value: compared with the record's own, every machine is asked", () => {
  const wrong = all.filter((one) => isOfEveryRead(one) && one.text.includes("organization_id = r.organization_id"));
  expect(places(wrong)).toEqual([]);
});

test("what rows are counted from has a column: Citus reads none as a record of unknown shape", () => {
  expect(places(all.filter(({ text }) => text.includes("from ( select from ")))).toEqual([]);
});

test("which part of a table is read at random stands in the statement: Citus overlooks a value there", () => {
  expect(places(all.filter(({ text }) => text.includes("tablesample system ($")))).toEqual([]);
});

test("no update makes JSON of columns by functions that depend on settings", () => {
  const made = /json(b)?_build|to_json(b)?[(]/u;
  const wrong = all.filter((one) => /^ update /u.test(one.text) && made.test(one.text) && !isLocal(one));
  expect(places(wrong)).toEqual([]);
});
