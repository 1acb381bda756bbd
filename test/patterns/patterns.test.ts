// Every regular expression of the product takes linear time, whatever it is matched against; one that does not is listed
// with the reason why its text is short or its cost bounded.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../server/lib/root.ts";
import { growthOf } from "./growth.ts";
import { literalsOf } from "./literals.ts";

/** Tests and benchmarks match what they have made themselves, and serve nobody. */
const folders = ["server", "contract", "client", "web", "cli", "demo"];
const files = folders
  .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`))
  .concat(readdirSync(root).filter((name) => name.endsWith(".config.ts")))
  .map((file) => file.replaceAll(path.sep, "/"))
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.test\.tsx?$|\.d\.ts$|\/test-[\w-]+\.ts$/.test(file))
  .sort();

/** `file: pattern` → why its cost is bounded. */
const bounded: Readonly<Record<string, string>> = {
  'server/fields/columns/jsonb-text.ts: "[^"\\\\]*(?:\\\\.[^"\\\\]*)*"|-?\\d[\\d.eE+-]*':
    "the text was parsed as JSON just before: each quote is closed",
  "server/controllers/core/mentions.ts: (?<![\\p{L}\\p{N}._@+-])@([\\p{L}\\p{N}._@+-]{3,65})":
    "at most 65 characters per @",
  "server/modules/core/views/view-definition.ts: [a-z_.]+(?=\\)?$)": "names of columns in views that are shipped",
  "web/fields/reading/read-day.ts: (\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.\\d+)?)?\\s*([apصم])?\\.?(?:m\\.?)?\\s*(z|[+-]\\d{2}:?\\d{2})?$":
    "longer texts than 100 characters are no days",
  "web/fields/reading/read-day.ts: [\\s,،]*(?:T|\\bat\\b)?[\\s,،]*$": "longer texts than 100 characters are no days",
  "web/screens/record/timeline/comment-composer.tsx: (?<![\\p{L}\\p{N}._@+-])@([\\p{L}\\p{N}._@+-]{0,64})$":
    "at most 64 characters per @",
  'web/screens/record/timeline/comment-item.tsx: (?<![\\p{L}\\p{N}._@+-])(@[\\p{L}\\p{N}._@+-]{2,64}[\\p{L}\\p{N}])|(https?:\\/\\/[^\\s<>"]+[^\\s<>".,;:!?)\\]}\'])':
    "at most 65 characters per @; an address ends at its last letter",
};

describe("the judge", () => {
  test.each([
    ["(a*)*$", ""],
    ["^(a+)+$", ""],
    ["^(a|a)*$", ""],
    ["^(?:a|ab|b)*c", ""],
    ["0+$", ""],
    ["<[^>]*>", "g"],
    ["^\\s*(.*?)\\s*$", ""],
    ["^(?:<!--[^]*?-->\\s*)*<p", ""],
    ["^(?:a*a*b)?", ""],
    ["^(.*?)(?:\\s+desc)?$", "s"],
    ["a.*b.*c", ""],
    ["(?=.*x)y", ""],
    ["\\d{1,5000}x", ""],
    ["^\\p{L}+\\p{Lu}+\\d", "u"],
    ["[a-z]+[A-Z]+$", "i"],
  ])("finds /%s/%s slow", (pattern, flags) => {
    expect(growthOf(pattern, flags)).toBeDefined();
  });

  test.each([
    ["\\s+", "g"],
    ["^\\s*(\\d+)\\s*$", ""],
    ["^[a-z]+(?:\\.[a-z]+)*$", ""],
    ["^a.*b", ""],
    ["^(?=.*x)y", ""],
    ["(?:^|,)[^,]*,", "y"],
    ["^[\\x20-\\x7e]{1,70}$", ""],
    ["\\.0*$", ""],
    ["^(?:a|b)*c", ""],
    ["[^\\p{L}]+", "gu"],
    ["0$", ""],
  ])("finds /%s/%s linear", (pattern, flags) => {
    expect(growthOf(pattern, flags)).toBeUndefined();
  });

  test("reads patterns where they stand, not what looks like one", () => {
    const source = 'const a = "/x+$/"; // /y+$/\nexport const b = 4 / 2 / 1;\nf(/z+$/u); new RegExp(a);\n';
    expect(literalsOf("x.ts", source)).toEqual({ found: [{ pattern: "z+$", flags: "u", line: 3 }], made: [3] });
  });
});

describe("the product", () => {
  const all = files.map((file) => ({ file, ...literalsOf(file, readFileSync(path.join(root, file), "utf8")) }));

  test("matches in linear time", () => {
    const verdicts = new Map<string, string | undefined>();
    const slow = all.flatMap(({ file, found }) =>
      found.flatMap(({ pattern, flags, line }) => {
        if (`${file}: ${pattern}` in bounded) return [];
        const name = `/${pattern}/${flags}`;
        if (!verdicts.has(name)) verdicts.set(name, growthOf(pattern, flags));
        const growth = verdicts.get(name);
        return growth === undefined ? [] : [`${file}:${line} ${name} is slow on ${growth}`];
      }),
    );
    expect(verdicts.size).toBeGreaterThan(200);
    expect(slow).toEqual([]);
  });

  test("lists nothing that is not there, or not slow", () => {
    const known = new Map(all.flatMap(({ file, found }) => found.map((one) => [`${file}: ${one.pattern}`, one])));
    for (const name of Object.keys(bounded)) {
      const literal = known.get(name);
      expect(literal, name).toBeDefined();
      expect(literal && growthOf(literal.pattern, literal.flags), name).toBeDefined();
    }
  });

  test("makes no pattern of a text", () => {
    expect(all.flatMap(({ file, made }) => made.map((line) => `${file}:${line}`))).toEqual([]);
  });
});
