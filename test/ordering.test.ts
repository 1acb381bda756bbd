// Statements give values as text. PostgreSQL takes a bare name after `order by` for the column that is given, so a number that is given as text
// under its own name would be sorted as text: "10" before "9". Such a name has its table in front.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../server/lib/root.ts";

const FAR = 1_500;

/** Names that a statement sorts by and gives as text: `select id::text … order by id`. */
function sortedAsText(source: string): string[] {
  return source.split("order by ").flatMap((rest, index, parts) => {
    if (index === 0) return [];
    const before = (parts[index - 1] ?? "").slice(-FAR);
    const statement = before.slice(before.lastIndexOf("select "));
    const [keys = ""] = rest.split(/[`)\n]/u);
    return keys
      .split(",")
      .map((key) => key.trim().split(" ")[0] ?? "")
      .filter((key) => /^[a-z_]+$/u.test(key))
      .filter((key) => {
        const given = statement.split(/[\s,(]+/u);
        const at = given.indexOf(`${key}::text`);
        return (at >= 0 && given[at + 1] !== "as") || statement.includes(`::text as ${key}`);
      });
  });
}

const files = readdirSync(path.join(root, "server"), { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
);

test("no statement sorts numbers as the text that it gives them as", () => {
  expect(sortedAsText("select id::text as id, name from a where b order by name, id limit 1`")).toEqual(["id"]);
  expect(sortedAsText("select position::text, at from a order by position limit 1`")).toEqual(["position"]);
  expect(sortedAsText("select id::text as id from a r order by r.id`")).toEqual([]);
  expect(sortedAsText("select organization_id::text as id from a order by organization_id`")).toEqual([]);
  const found = files.flatMap((name) =>
    sortedAsText(readFileSync(path.join(root, "server", name), "utf8")).map((key) => `${name}: order by ${key}`),
  );
  expect(found).toEqual([]);
});
