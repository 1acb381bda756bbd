// A file of the web app that can be on the screen before a part of the texts is there must not use it: its name would be shown in
// place of a text.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import * as design from "../web/texts/en/design.ts";
import { ground } from "../web/texts/en/ground.ts";
import * as imports from "../web/texts/en/imports.ts";
import { inside } from "../web/texts/en/inside.ts";
import * as people from "../web/texts/en/people.ts";
import * as table from "../web/texts/en/table.ts";

const web = path.join(import.meta.dirname, "..", "web");
const sources = new Map(
  readdirSync(web, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts"))
    .map((name) => [name, readFileSync(path.join(web, name), "utf8")]),
);

/** Which files one brings along, but for those that come with the texts of this part. */
const broughtBy = (file: string, part: string): string[] =>
  (sources.get(file) ?? "")
    .split("\n")
    .filter((line) => !line.startsWith("import type") && !line.includes(`withTexts("${part}"`))
    .flatMap((line) => [...line.matchAll(/(?:from |import\()"(\.[^"]+)"/g)])
    .map(([, to = ""]) => path.join(path.dirname(file), to));

function withoutTexts(part: string): Set<string> {
  const found = new Set(["main.tsx"]);
  for (const file of found) for (const next of broughtBy(file, part)) if (sources.has(next)) found.add(next);
  return found;
}

const always = new Set(Object.keys({ ...ground, ...inside, ...table }));

test.each(Object.entries({ people, design, imports }))(
  "texts of %s are used only where they are loaded",
  (part, texts) => {
    const groups = Object.keys(texts).filter((group) => !always.has(group));
    const reached = [...withoutTexts(part)];
    expect(reached).toContain("screens/record/panels/webhook-panel.tsx");
    const used = reached.flatMap((file) =>
      [...(sources.get(file) ?? "").matchAll(/\bt\(\s*["`](\w+)\./g)]
        .filter(([, group = ""]) => groups.includes(group))
        .map(([said]) => `${file} ${said}`),
    );
    expect(used).toEqual([]);
  },
);
