import { expect, test } from "vitest";
import { parseExactly } from "./exact-json.ts";

test.each([
  ["small numbers", '{"a":1,"b":-0.5,"c":1e3,"d":[900719925474099]}', { a: 1, b: -0.5, c: 1000, d: [900719925474099] }],
  ["whole numbers above 2^53", '{"id":9007199254740993}', { id: "9007199254740993" }],
  ["those that a float holds", "[10000000000000000, -9007199254740994]", [1e16, -9007199254740994]],
  ["below -2^53", "[-9007199254740993]", ["-9007199254740993"]],
  ["long amounts", "[12345678901234567.89, 0.000000000000000000001]", ["12345678901234567.89", 1e-21]],
  ["what no float holds", "[1e400]", ["1e400"]],
  ["digits in texts", '["9007199254740993","a \\" 9007199254740993"]', ["9007199254740993", 'a " 9007199254740993']],
])("%s", (_, text, value) => {
  expect(parseExactly(text)).toEqual(value);
});

test("what is no JSON is refused", () => {
  for (const text of ["", "{", "[9007199254740993", "-", '"a']) expect(() => parseExactly(text)).toThrow(SyntaxError);
});
