import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Failure } from "../../../contract/failures.ts";
import { processorTime } from "../../../test/processor-time.ts";
import { sourceOf } from "../../lib/json/json-source.ts";
import { parseJson } from "./json.ts";

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function failureOf(text: string): Failure {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error(`nothing failed in ${text}`);
}

describe("reads JSON", () => {
  test.each([
    ["12345678901234567890", "12345678901234567890"],
    ["1.10", "1.10"],
    ["-0", "-0"],
    ["-0.50e+10", "-0.50e+10"],
    ["true", "1"],
    ["false", "0"],
    ["null", null],
    ['"a\\u00e9\\n\\"\\\\b"', 'aé\n"\\b'],
    ['"\\\\"', "\\"],
    [' [ 1 , "2" , [ ] , { } ] ', ["1", "2", [], {}]],
    ['{"a":{"b":[1.0,null]},"c":""}', { a: { b: ["1.0", null] }, c: "" }],
    ['{"toString":1}', { toString: "1" }],
  ])("%s", (text, value) => {
    expect(plain(parseJson(text).value)).toEqual(value);
  });

  test("remembers how objects, arrays and top-level members were written", () => {
    const { value, written, levels } = parseJson('{ "id": 1.0, "a": {"b": [ 1.10, true ]} }');
    expect(written.get("id")).toBe("1.0");
    expect(sourceOf((value as { a: object }).a)).toBe('{"b": [ 1.10, true ]}');
    expect(levels).toBe(3);
  });

  test("agrees with JSON.parse on every value, numbers apart", () => {
    const text = fc.string({ unit: "binary" }).filter((value) => !value.includes("\0") && value.isWellFormed());
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        text,
        fc.constant(null),
        fc.array(tie("node"), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-z"\\\n]{1,6}$/), tie("node"), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(node, fc.integer({ min: 0, max: 3 }), (value, indent) => {
        expect(plain(parseJson(JSON.stringify(value, null, indent)).value)).toEqual(plain(value));
      }),
    );
  });

  test("accepts exactly what JSON.parse accepts, on mutilated texts", () => {
    const base = '{"a":[1.5e3,-0,"x\\n\\u0041"],"b":{"c":null,"d":true}} ';
    fc.assert(
      fc.property(
        fc.nat(base.length - 1),
        fc.constantFrom(...'{}[],:"\\ 0123.eE+-truefalsn\t\u0001'),
        fc.boolean(),
        (at, mark, insert) => {
          const text = base.slice(0, at) + mark + base.slice(insert ? at : at + 1);
          let expected: unknown;
          let ours: unknown;
          try {
            expected = JSON.stringify(JSON.parse(text)) !== "";
          } catch {
            expected = false;
          }
          try {
            parseJson(text);
            ours = true;
          } catch (error) {
            // Stricter on purpose: the same key twice.
            ours = error instanceof Failure && error.message.includes("twice") ? expected : false;
          }
          expect(ours, text).toBe(expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("refuses", () => {
  test.each([
    ["", "malformed_body", "value is missing"],
    ["{", "malformed_body", "key in quotes"],
    ['{"a":1,}', "malformed_body", "key in quotes"],
    ["[1,]", "malformed_body", "value is missing"],
    ["01", "malformed_body", "after the end"],
    ["1.", "malformed_body", "after the end"],
    ["+1", "malformed_body", "value is missing"],
    ["NaN", "malformed_body", "value is missing"],
    ['"abc', "malformed_body", "is not closed"],
    ['"a\nb"', "malformed_body", "control character"],
    ['"\\x"', "malformed_body", "escape"],
    ['{"a":1} x', "malformed_body", "after the end"],
    ['{"a":1,"a":2}', "malformed_body", "a appears twice"],
    ['{"__proto__":{"x":1}}', "malformed_parameter", "__proto__"],
    ['{"\\u005f_proto__":1}', "malformed_parameter", "__proto__"],
    ['{"a":{"constructor":1}}', "malformed_parameter", "constructor"],
    ['{"a":"\\u0000"}', "malformed_parameter", "NUL"],
    ['{"a":"\\ud800"}', "malformed_parameter", "Unicode"],
    ["[".repeat(20) + "]".repeat(20), "too_deep", "8"],
    ["[".repeat(1_000_000), "too_deep", "8"],
    [`[${"1,".repeat(5_000)}1]`, "too_many_keys", "5,000"],
    [`[${"[],".repeat(5_000)}1]`, "too_many_keys", "5,000"],
  ])("%.40s", (text, code, says) => {
    const failure = failureOf(text);
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(says);
  });
});

test("keys that name columns of a file can be any text, there and nowhere else", () => {
  const free = new Set(["mapping"]);
  const names = '{"__proto__":{"prototype":"1"},"constructor":"2"}';
  for (const text of [`{"mapping":${names},"a":"3"}`, `{"params":{"mapping":${names}}}`]) {
    const { value } = parseJson(text, 8, 100, free);
    expect(JSON.stringify(value)).toBe(text);
    expect(Object.prototype).not.toHaveProperty("prototype");
  }
  expect(JSON.stringify(parseJson(names, 8, 100, "all").value)).toBe(names);
  for (const text of [`{"a":{"mapping":${names}}}`, `{"mapping":{"a":1},"constructor":1}`])
    expect(() => parseJson(text, 8, 100, free)).toThrow(/not a valid name/u);
});

test("takes time in proportion to the text", async () => {
  const textOf = (fields: number) =>
    JSON.stringify({
      data: { leads: Object.fromEntries(Array.from({ length: fields }, (_, i) => [`f${i}`, `é"${"x".repeat(500)}`])) },
    });
  /** The best of a few. */
  const cost = async (text: string) => {
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) times.push(await processorTime(() => parseJson(text)));
    return Math.min(...times);
  };
  const [short, long] = [textOf(250), textOf(4_000)];
  await cost(short);
  // Sixteen times the text; squared it would be 256 times the work.
  expect((await cost(long)) / (await cost(short))).toBeLessThan(64);
});
