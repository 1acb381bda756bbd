import fc from "fast-check";
import { expect, test } from "vitest";
import { type ExpressionScope, evaluateExpression, parseExpression, parseTemplate } from "./expressions.ts";

const values: Record<string, unknown> = {
  name: "Ada",
  group: "4",
  currency: "9",
  amount: "120.50",
  rate: "0.1",
  empty: null,
  point: { lat: "1" },
};
const scope: ExpressionScope = {
  read: (field) => values[field],
  made: (name) => (name === "company" ? "7" : null),
  now: "2026-01-31 12:00:00",
  today: "2026-01-31",
  me: "3",
  group: "4",
  currency: "9",
};
const run = (source: string): unknown => {
  const parsed = parseExpression(source);
  return parsed.ok ? evaluateExpression(parsed.expression, scope) : `! ${parsed.error.code}`;
};

test.each<[string, unknown]>([
  ["name", "Ada"],
  ['name & " " & amount', "Ada 120.50"],
  ["amount - amount * rate", "108.45"],
  ["0.1 + 0.2", "0.3"],
  ["1 / 4", "0.25"],
  ["-3 + 1", "-2"],
  ["1 / 0", null],
  ["empty + 1", null],
  ['coalesce(empty, "x")', "x"],
  ["point", { lat: "1" }],
  ["new.company", "7"],
  ["today(1)", "2026-02-01"],
  ["now()", "2026-01-31 12:00:00"],
  ["me()", "3"],
])("%s is worked out exactly", (source, expected) => expect(run(source)).toEqual(expected));

test.each(["", "1 +", "(1", "evil()", "now(1)", "name name", "`x`", "a..b", ".b", "a.", "a.B", '"open'])(
  "%j is refused in words",
  (source) => {
    expect(run(source)).toMatch(/^! .+/);
  },
);

test("a template keeps its words and works out what is in braces", () => {
  const parsed = parseTemplate("Dear {{name}}, {{amount * 2}}!");
  expect(
    parsed.ok && parsed.template.map((part) => (typeof part === "string" ? part : evaluateExpression(part, scope))),
  ).toEqual(["Dear ", "Ada", ", ", "241", "!"]);
  expect(parseTemplate("{{1 +}}").ok).toBe(false);
});

test("any text is read or refused, never run", () => {
  fc.assert(
    fc.property(fc.string(), (source) => {
      expect(typeof parseExpression(source).ok).toBe("boolean");
    }),
  );
});

test("numbers of thousands of digits are no numbers, and unclosed braces are text", () => {
  const parsed = parseExpression("note * 1");
  const scope = {
    read: () => `1${"0".repeat(20_000)}1`,
    made: () => null,
    now: "",
    today: "2026-01-01",
    me: "1",
    group: "4",
    currency: "9",
  };
  expect(parsed.ok && evaluateExpression(parsed.expression, scope)).toBeNull();
  const braces = parseTemplate("{{".repeat(100_000));
  expect(braces).toEqual({ ok: true, template: ["{{".repeat(100_000)] });
});

test("texts that are joined again and again stay within what any field holds", () => {
  const parsed = parseExpression(Array.from({ length: 60 }, () => "long").join(" & "));
  if (!parsed.ok) throw new Error(parsed.error.code);
  const long = "x".repeat(50_000);
  expect(evaluateExpression(parsed.expression, { ...scope, read: () => long })).toHaveLength(1_000_001);
});
