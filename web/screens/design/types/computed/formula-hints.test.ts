import { describe, expect, test } from "vitest";
import { choiceFields, neededFields, strangeOption, withEmptyAllowed, withOption } from "./formula-hints.ts";

const dates = [
  { name: "scheduled_on", required: true },
  { name: "done_on", required: false },
  { name: "paid_on" },
  { name: "" },
];
const needed = (formula: string) => neededFields(formula, dates).map(({ name }) => name);

describe("fields that a rule does not let be empty", () => {
  test.each([
    ["done_on >= scheduled_on", ["done_on"]],
    ["done_on - scheduled_on <= 14", ["done_on"]],
    ["scheduled_on <= done_on and paid_on >= done_on", ["done_on", "paid_on"]],
    ["done_on in (\"2026-01-01\", '2026-01-02')", ["done_on"]],
    ['done_on = "2026-01-01"', ["done_on"]],
    ["not (done_on is empty)", ["done_on"]],
  ])("%s needs %j", (formula, names) => expect(needed(formula)).toEqual(names));

  test.each([
    "done_on is empty or done_on >= scheduled_on",
    "not (done_on < scheduled_on)",
    'done_on != "2026-01-01"',
    "done_on = paid_on",
    'coalesce(done_on, "2026-01-01") >= scheduled_on',
    'scheduled_on >= "2026-01-01"',
    "done_on >=",
  ])("%s needs none", (formula) => expect(needed(formula)).toEqual([]));

  test("are allowed to be empty without changing anything else", () => {
    expect(withEmptyAllowed("done_on >= scheduled_on", ["done_on"])).toBe(
      "done_on is empty or done_on >= scheduled_on",
    );
    const both = withEmptyAllowed("done_on >= scheduled_on and done_on >= paid_on", ["done_on", "paid_on"]);
    expect(both).toBe("done_on is empty or paid_on is empty or (done_on >= scheduled_on and done_on >= paid_on)");
    expect(needed(both)).toEqual([]);
  });
});

describe("texts that are no option", () => {
  const fields = [
    { name: "category", label: "Category", options: [{ value: "pump", label: "Pump" }, { value: "other" }] },
    { name: "note", label: "Note" },
  ];

  test.each([
    ['category = "Pump"', "Pump", 'category = "pump"'],
    ['note = "x" and not ("OTHER" != category)', "OTHER", 'note = "x" and not ("other" != category)'],
    ["if(category in ('pump', 'Pump'), 1, 2)", "Pump", "if(category in ('pump', 'pump'), 1, 2)"],
    ['if(category in ("pump", "Engine"), 1, 2)', "Engine", undefined],
  ])("%s: %s, better %s", (formula, text, fixed) => {
    const strange = strangeOption(formula, fields);
    expect(strange).toMatchObject({ field: fields[0], text });
    expect(strange && withOption(formula, strange)).toBe(fixed);
  });

  test("are looked for in choices of one option, as they are designed and as they are stored", () => {
    const options = [{ value: "a", label: "A" }];
    expect(
      choiceFields([
        { name: "designed", type: "choice", settings: { options } },
        { name: "stored", type: "choice", options },
        { name: "several", type: "multiple-choice", options },
        { name: "text", type: "short-text", options: null },
      ]).map(({ name }) => name),
    ).toEqual(["designed", "stored"]);
  });

  test.each(['category = "pump"', 'category = ""', 'note = "Pump"', 'category & "Pump"', 'category = "Pum'])(
    "%s is fine",
    (formula) => expect(strangeOption(formula, fields)).toBeUndefined(),
  );
});
