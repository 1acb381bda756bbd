// Statements give values as text. PostgreSQL takes a bare name or a number after `order by` for the column that is given, so a number that
// is given as text would be sorted as text: "10" before "9". Such a name has its table in front.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../server/lib/root.ts";

const FAR = 4_000;
const opens = new Set(["(", "{"]);
const closes = new Set([")", "}"]);

/** Where the `select` is whose rows the `order by` at this place sorts; undefined: it sorts what an aggregate takes in. */
function selectOf(source: string, place: number): number | undefined {
  let depth = 0;
  for (let at = place - 1; at >= 0 && place - at < FAR; at -= 1) {
    const char = source[at] ?? "";
    if (closes.has(char)) depth += 1;
    if (opens.has(char)) depth -= 1;
    if (depth < 0 || (depth === 0 && char === "`")) return undefined;
    if (depth === 0 && source.startsWith("select ", at)) return at + "select ".length;
  }
  return undefined;
}

/** What a `select` gives, item by item. */
function givenBy(source: string, place: number): string[] {
  const items = [""];
  let depth = 0;
  for (let at = place; at < source.length && at - place < FAR; at += 1) {
    const char = source[at] ?? "";
    if (opens.has(char)) depth += 1;
    if (closes.has(char)) depth -= 1;
    if (depth < 0 || (depth === 0 && /^(?:\sfrom\s|`)/u.test(source.slice(at, at + 6)))) break;
    if (depth === 0 && char === ",") items.push("");
    else items.push(`${items.pop() ?? ""}${char}`);
  }
  return items.map((item) => item.trim());
}

/** Columns that are written elsewhere, of which nobody sees here what they are called. */
const isElsewhere = (item: string): boolean => item.startsWith("${") && item.indexOf("}") === item.length - 1;

/** Names and numbers that a statement sorts by and gives as text: `select id::text … order by id`. */
function sortedAsText(source: string): string[] {
  return [...source.matchAll(/order by /gu)].flatMap(({ index }) => {
    const place = selectOf(source, index);
    if (place === undefined) return [];
    const given = givenBy(source, place);
    const [keys = ""] = source.slice(index + "order by ".length, index + FAR).split(/[`)\n]|\$\{/u);
    return keys
      .split(",")
      .map((key) => key.trim().split(" ")[0] ?? "")
      .filter((key) => {
        if (/^\d+$/u.test(key))
          return given.some(isElsewhere) || /::text(?: as \w+)?$/u.test(given[Number(key) - 1] ?? "");
        if (!/^[a-z_]+$/u.test(key)) return false;
        const asText = (item: string) => [item, item.slice(item.lastIndexOf(".") + 1)].includes(`${key}::text`);
        return given.some((item) => isElsewhere(item) || asText(item) || item.endsWith(`::text as ${key}`));
      });
  });
}

const files = readdirSync(path.join(root, "server"), { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
);

test("no statement sorts numbers as the text that it gives them as", () => {
  expect(sortedAsText("select id::text as id, name from a where b order by name, id limit 1`")).toEqual(["id"]);
  expect(sortedAsText("select position::text, at from a order by position limit 1`")).toEqual(["position"]);
  expect(sortedAsText("select r.id::text from a r where exists (select from b) order by id`")).toEqual(["id"]);
  expect(sortedAsText("select $" + "{selected} from a where b order by id desc limit 1`")).toEqual(["id"]);
  expect(sortedAsText("select name, r.version::text as version from a r group by 1, 2 order by 2, 1`")).toEqual(["2"]);
  expect(sortedAsText("select $" + "{selected} from a r order by r.id`")).toEqual([]);
  expect(sortedAsText("select $" + "{id}::bigint, name, day from a order by name, 3`")).toEqual([]);
  expect(sortedAsText("select id::text as id, array_agg(b order by id) from a r order by r.id`")).toEqual([]);
  expect(sortedAsText("select organization_id::text as id from a order by organization_id`")).toEqual([]);
  const found = files.flatMap((name) =>
    sortedAsText(readFileSync(path.join(root, "server", name), "utf8")).map((key) => `${name}: order by ${key}`),
  );
  expect(found).toEqual([]);
});
