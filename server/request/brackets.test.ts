import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure } from "../../contract/failures.ts";
import { processorTime } from "../../test/processor-time.ts";
import { bracketTree, parseBrackets, toBrackets } from "./brackets.ts";
import { type Leaf, type Tree, UploadedFile } from "./tree.ts";
import { parseUrlEncoded } from "./url-encoded.ts";

/** Deep equality that does not look at prototypes. */
const plain = (tree: Tree): unknown => JSON.parse(JSON.stringify(tree));

function failureOf(run: () => unknown): Failure {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("nothing failed");
}

describe("the tree of bracketed keys", () => {
  const file = new UploadedFile("/tmp/x", "a.png", "image/png", 3);
  const cases: { name: string; entries: [string, Leaf][]; tree: unknown }[] = [
    { name: "plain keys", entries: [["a", "1"]], tree: { a: "1" } },
    { name: "nesting", entries: [["a[b][c]", "1"]], tree: { a: { b: { c: "1" } } } },
    {
      name: "the form of a record",
      entries: [
        ["data[leads][name]", "Ada"],
        ["data[leads][stage_log][node_id]", "7"],
        ["data[action][save_&_continue]", "Save & Continue"],
      ],
      tree: {
        data: { leads: { name: "Ada", stage_log: { node_id: "7" } }, action: { "save_&_continue": "Save & Continue" } },
      },
    },
    {
      name: "appending",
      entries: [
        ["ids[]", "1"],
        ["ids[]", "2"],
      ],
      tree: { ids: ["1", "2"] },
    },
    {
      name: "appending objects",
      entries: [
        ["a[][b]", "1"],
        ["a[][b]", "2"],
      ],
      tree: { a: [{ b: "1" }, { b: "2" }] },
    },
    {
      name: "indexes in any order",
      entries: [
        ["a[1]", "y"],
        ["a[0]", "x"],
      ],
      tree: { a: ["x", "y"] },
    },
    {
      name: "appending after an index",
      entries: [
        ["a[0]", "x"],
        ["a[]", "y"],
      ],
      tree: { a: ["x", "y"] },
    },
    {
      name: "indexes with a gap stay an object",
      entries: [
        ["a[0]", "x"],
        ["a[2]", "y"],
      ],
      tree: { a: { 0: "x", 2: "y" } },
    },
    { name: "indexes from one stay an object", entries: [["a[1]", "x"]], tree: { a: { 1: "x" } } },
    { name: "a padded index is a name", entries: [["a[00]", "x"]], tree: { a: { "00": "x" } } },
    {
      name: "mixed names and indexes",
      entries: [
        ["a[0]", "x"],
        ["a[b]", "y"],
      ],
      tree: { a: { 0: "x", b: "y" } },
    },
    { name: "a huge index costs nothing", entries: [["a[999999999]", "x"]], tree: { a: { 999999999: "x" } } },
    {
      name: "equal keys with equal values",
      entries: [
        ["a", "1"],
        ["a", "1"],
        ["b[c]", ""],
        ["b[c]", ""],
      ],
      tree: { a: "1", b: { c: "" } },
    },
    {
      name: "a hidden 0 before a ticked box",
      entries: [
        ["a[b]", "0"],
        ["a[b]", "1"],
      ],
      tree: { a: { b: "1" } },
    },
    {
      name: "an empty value beside its parts",
      entries: [
        ["a", "null"],
        ["a[b]", "1"],
        ["c[d]", "2"],
        ["c", ""],
      ],
      tree: { a: { b: "1" }, c: { d: "2" } },
    },
    {
      name: "files",
      entries: [["data[users][images][name]", file]],
      tree: { data: { users: { images: { name: { ...file } } } } },
    },
    {
      name: "names of Object.prototype's methods",
      entries: [
        ["a[toString]", "x"],
        ["valueOf", "y"],
      ],
      tree: { a: { toString: "x" }, valueOf: "y" },
    },
    {
      name: "eight levels",
      entries: [["a[b][c][d][e][f][g][h]", "x"]],
      tree: { a: { b: { c: { d: { e: { f: { g: { h: "x" } } } } } } } },
    },
    { name: "nothing", entries: [], tree: {} },
  ];
  test.each(cases)("reads $name", ({ entries, tree }) => {
    expect(plain(parseBrackets(entries))).toEqual(tree);
  });

  test("has no prototype anywhere", () => {
    const tree = parseBrackets([["a[b]", "1"]]);
    expect(Object.getPrototypeOf(tree)).toBeNull();
    expect(Object.getPrototypeOf(tree.a)).toBeNull();
  });
});

describe("keys that are refused", () => {
  const cases: { name: string; entries: [string, string][]; code: string; says: string }[] = [
    {
      name: "__proto__",
      entries: [["data[leads][__proto__][x]", "1"]],
      code: "malformed_parameter",
      says: "data[leads][__proto__][x]",
    },
    {
      name: "__proto__ as the first name",
      entries: [["__proto__[x]", "1"]],
      code: "malformed_parameter",
      says: "__proto__",
    },
    { name: "constructor", entries: [["a[constructor]", "1"]], code: "malformed_parameter", says: "a[constructor]" },
    { name: "prototype", entries: [["a[prototype]", "1"]], code: "malformed_parameter", says: "a[prototype]" },
    { name: "a bracket that stays open", entries: [["a[b", "1"]], code: "malformed_parameter", says: "a[b" },
    { name: "a bracket in a bracket", entries: [["a[b[c]]", "1"]], code: "malformed_parameter", says: "a[b[c]]" },
    { name: "text after a bracket", entries: [["a[b]c", "1"]], code: "malformed_parameter", says: "a[b]c" },
    { name: "a closing bracket alone", entries: [["a]", "1"]], code: "malformed_parameter", says: "a]" },
    { name: "brackets without a name", entries: [["[a]", "1"]], code: "malformed_parameter", says: "[a]" },
    { name: "no name", entries: [["", "1"]], code: "malformed_parameter", says: "without a name" },
    {
      name: "a key twice with different values",
      entries: [
        ["a[b]", "1"],
        ["a[b]", "2"],
      ],
      code: "malformed_parameter",
      says: "a[b]: is sent twice, with different values",
    },
    {
      name: "a tick before a 0",
      entries: [
        ["a", "1"],
        ["a", "0"],
      ],
      code: "malformed_parameter",
      says: "a: is sent twice, with different values",
    },
    {
      name: "a value that is a branch too",
      entries: [
        ["a", "1"],
        ["a[b]", "2"],
      ],
      code: "malformed_parameter",
      says: "a[b]",
    },
    {
      name: "a branch that is a value too",
      entries: [
        ["a[b]", "1"],
        ["a", "2"],
      ],
      code: "malformed_parameter",
      says: "a:",
    },
    { name: "nine levels", entries: [["a[b][c][d][e][f][g][h][i]", "1"]], code: "too_deep", says: "8" },
    { name: "NUL in a value", entries: [["a", "x\0y"]], code: "malformed_parameter", says: "NUL" },
    { name: "NUL in a key", entries: [["a[\0]", "x"]], code: "malformed_parameter", says: "NUL" },
    { name: "half a surrogate pair", entries: [["a", "\ud800"]], code: "malformed_parameter", says: "Unicode" },
  ];
  test.each(cases)("$name", ({ entries, code, says }) => {
    const failure = failureOf(() => parseBrackets(entries));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(says);
  });

  test("the 5,001st key fails at once", () => {
    const tree = bracketTree();
    for (let index = 0; index < 5_000; index += 1) tree.add(`a[${index}]`, "x");
    expect(failureOf(() => tree.add("b", "x")).code).toBe("too_many_keys");
  });

  test("a very long key is quoted only in part", () => {
    expect(failureOf(() => parseBrackets([[`${"x".repeat(5_000)}[`, "1"]])).message.length).toBeLessThan(200);
  });
});

describe("urlencoded text", () => {
  const cases = [
    { name: "decodes percent and plus", text: "a=x%20y+z&b%5Bc%5D=%C3%A9", tree: { a: "x y z", b: { c: "é" } } },
    { name: "ignores empty pairs", text: "&&a=1&", tree: { a: "1" } },
    { name: "takes a key without a value as empty", text: "a&b=", tree: { a: "", b: "" } },
    { name: "keeps further equals signs", text: 'q={"a"=1}', tree: { q: '{"a"=1}' } },
    { name: "is empty for empty text", text: "", tree: {} },
  ];
  test.each(cases)("$name", ({ text, tree }) => {
    expect(plain(parseUrlEncoded(text))).toEqual(tree);
  });

  test.each(["a=%", "a=%zz", "a=%C3", "%E0%A4%A=1"])("refuses the bad encoding %s", (text) => {
    expect(failureOf(() => parseUrlEncoded(text)).code).toBe("malformed_parameter");
  });

  test.each([100, 10_000])("keeps everything but plus signs in a text of %i pairs", (count) => {
    const text = "+é\ud83d\ude00\u202e".repeat(count);
    expect(plain(parseUrlEncoded(`a=${text}`))).toEqual({ a: text.replaceAll("+", " ") });
  });

  test("reads ten megabytes of plus signs in a moment", async () => {
    const text = `a=${"b+".repeat(5_000_000)}`;
    expect(await processorTime(() => parseUrlEncoded(text))).toBeLessThan(1_000);
  });

  test("reads ten megabytes without an equals sign in a moment", async () => {
    const text = `${"a&".repeat(4_900)}${"b".repeat(10_000_000)}`;
    expect(await processorTime(() => parseUrlEncoded(text))).toBeLessThan(1_000);
  });
});

test("every tree survives the way through brackets and back", () => {
  const key = fc
    .stringMatching(/^[a-z][a-z0-9_& é-]{0,8}$/)
    .filter((name) => name !== "constructor" && name !== "prototype");
  const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\0") && value.isWellFormed());
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5, depthSize: "small" },
      text,
      fc.dictionary(key, tie("node"), { minKeys: 1, maxKeys: 4 }),
      fc.array(tie("node"), { minLength: 1, maxLength: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, node, { maxKeys: 4 }), (tree) => {
      const entries = toBrackets(tree as Tree); // The generator's type cannot be recursive.
      expect(plain(parseBrackets(entries))).toEqual(plain(tree as Tree));
      const encoded = entries.map(
        ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
      );
      expect(plain(parseUrlEncoded(encoded.join("&")))).toEqual(plain(tree as Tree));
    }),
  );
});
