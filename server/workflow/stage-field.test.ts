// The field that is a record's stage: which one may be, where a record begins by it, what a definition must say of it, and
// how definitions from before it had a name are understood.
import { describe, expect, test } from "vitest";
import type { StageDefinition, WorkflowDefinition } from "../../contract/workflow.ts";
import { adoptStageField } from "./adopt-stage-field.ts";
import { beginning, checkStageField, mayBeStage, optionLabel, stageFieldOf, stagesFrom } from "./stage-field.ts";
import { compiled, leads, quotes, stageOf } from "./workflow-fixture.ts";

const status = leads.field.get("status");
if (!status) throw new Error("leads have a status");

const definition = {
  stage_field: "status",
  stages: [
    { key: "fresh", name: "Fresh", kind: "start", value: "new" },
    { key: "called", name: "Called", value: "contacted" },
    { key: "lost", name: "Lost", kind: "end", value: "unqualified" },
  ],
  transitions: [
    { name: "call", label: "Call", from: "fresh", to: "called" },
    { name: "lose", label: "Lose", from: "called", to: "lost", condition: "score < 10" },
    { name: "back", label: "Back", from: "called", to: "fresh" },
  ],
} satisfies WorkflowDefinition;
const workflow = compiled(definition);

test("only a choice of one that people may set is a stage field", () => {
  expect(mayBeStage(status)).toBe(true);
  for (const name of ["tags", "last_name", "current_stage"]) {
    const field = leads.field.get(name);
    expect([name, field && mayBeStage(field)]).toEqual([name, false]);
  }
  expect(mayBeStage({ ...status, system: true })).toBe(false);
  expect(stageFieldOf(leads, workflow)?.name).toBe("status");
  expect(stageFieldOf(leads, { stageField: undefined })).toBeUndefined();
  expect(stageFieldOf(leads, { stageField: "gone" })).toBeUndefined();
  expect(stageFieldOf(leads, { stageField: "last_name" })).toBeUndefined();
});

test("options are called by their label; what is empty, and what is no option any more, by what it is", () => {
  expect(optionLabel(status, "contacted")).toBe("Contacted");
  expect(optionLabel(status, null)).toBe("empty");
  expect(optionLabel(status, "older")).toBe("older");
});

test.each<[string, Record<string, unknown> | undefined, string]>([
  ["a new record", undefined, "fresh"],
  ["a stored one by what stands in its field", { status: "contacted" }, "called"],
  ["what stands for the start", { status: "new" }, "fresh"],
  ["what stands for no stage", { status: "qualified" }, "fresh"],
  ["nothing", { status: null }, "fresh"],
])("%s begins in its stage", (_, stored, stage) => {
  expect(beginning(leads, workflow, stored)).toMatchObject({ stage: { key: stage }, agreed: [] });
});

test("without a stage field every record begins at the start", () => {
  const { stage_field: _, ...plain } = definition;
  expect(beginning(leads, compiled(plain), { status: "contacted" }).stage.key).toBe("fresh");
});

test("stages are reached by ways that may be gone, each once, nearest first", () => {
  const reached = (mayGo: Parameters<typeof stagesFrom>[2], from = workflow.start) =>
    stagesFrom(workflow, from, mayGo).map(({ key }) => key);
  expect(reached(() => true)).toEqual(["fresh", "called", "lost"]);
  expect(reached((_, { condition }) => condition === undefined)).toEqual(["fresh", "called"]);
  expect(reached(() => false)).toEqual(["fresh"]);
  expect(reached((from) => from.key !== "fresh", stageOf(workflow, "called"))).toEqual(["called", "lost", "fresh"]);
});

describe("a definition", () => {
  const faults = (given: WorkflowDefinition, type = leads) =>
    checkStageField(given, type).map(({ at, wrong }) => `${at} ${wrong.code}`);
  const withStage = (stage: Partial<StageDefinition>): WorkflowDefinition => ({
    ...definition,
    stages: definition.stages.map((one) => (one.key === "called" ? { ...one, ...stage } : one)),
  });

  test("maps every stage to an option of its field", () => {
    expect(faults(definition)).toEqual([]);
    expect(faults(withStage({ value: undefined }))).toEqual(["stages.called.value stage_without_option"]);
    expect(faults(withStage({ value: "never" }))).toEqual(["stages.called.value no_such_option"]);
  });

  test("names a field that can be one, if its stages have values", () => {
    const { stage_field: _, ...unnamed } = definition;
    expect(faults(unnamed)).toEqual([
      "stages.fresh.value name_stage_field",
      "stages.called.value name_stage_field",
      "stages.lost.value name_stage_field",
    ]);
    expect(faults({ stages: [{ key: "a", name: "A" }], transitions: [] })).toEqual([]);
    for (const name of ["gone", "last_name", "tags"]) {
      expect(faults({ ...definition, stage_field: name })).toEqual(["stage_field not_a_stage_field"]);
    }
  });

  test("does not name a field that people are not to change", () => {
    for (const [permission, allowed] of [
      [0, true],
      [2, true],
      [4, false],
      [1, false],
    ] as const) {
      const field = new Map([...leads.field, ["status", { ...status, permission }]]);
      expect(faults(definition, { ...leads, field })).toEqual(allowed ? [] : ["stage_field not_a_stage_field"]);
    }
  });

  test("leaves its field to the stages: no effect sets it", () => {
    const set = { set: { status: '"new"' } };
    const other = { set: { rating: '"hot"' } };
    expect(faults(withStage({ enter: [other, set] }))).toEqual(["stages.called.enter.1.set.status stage_decides"]);
    const [call, ...rest] = definition.transitions;
    expect(faults({ ...definition, transitions: [{ ...call, effects: [set] } as never, ...rest] })).toEqual([
      "transitions.call.effects.0.set.status stage_decides",
    ]);
    expect(faults(withStage({ enter: [{ notify: { to: ["owner"], text: "A" } }] }))).toEqual([]);
  });
});

describe("a definition from before stages named their option", () => {
  const entering = (value: string, more: Record<string, string> = {}) => [{ set: { status: value, ...more } }];
  const old: WorkflowDefinition = {
    stages: [
      { key: "fresh", name: "Fresh", kind: "start", enter: entering('"new"') },
      { key: "called", name: "Called", enter: entering('"contacted"', { rating: '"hot"' }) },
    ],
    transitions: [],
  };
  const having = (enter: StageDefinition["enter"]): WorkflowDefinition => ({
    ...old,
    stages: [old.stages[0] as StageDefinition, { key: "called", name: "Called", enter }],
  });

  test("is understood: the field that every stage sets to an option of its own is the stage", () => {
    expect(adoptStageField(old, leads)).toEqual({
      stage_field: "status",
      stages: [
        { key: "fresh", name: "Fresh", kind: "start", value: "new" },
        { key: "called", name: "Called", value: "contacted", enter: [{ set: { rating: '"hot"' } }] },
      ],
      transitions: [],
    });
  });

  test.each<[string, WorkflowDefinition]>([
    ["it names one already", { ...old, stage_field: "status" }],
    ["two stages set the same", having(entering('"new"'))],
    ["a stage sets none", having(undefined)],
    ["a stage sets it under a condition", having([{ when: "score > 1", set: { status: '"contacted"' } }])],
    ["a stage sets it twice", having([...entering('"contacted"'), ...entering('"qualified"')])],
    ["a stage works it out", having(entering("rating"))],
    ["a stage sets what cannot be read", having(entering("(("))],
    ["a stage sets no option", having(entering('"never"'))],
    [
      "a transition sets it too",
      {
        ...old,
        transitions: [
          { name: "call", label: "Call", from: "fresh", to: "called", effects: [{ set: { status: '"new"' } }] },
        ],
      },
    ],
  ])("stays as it is where %s", (_, given) => {
    expect(adoptStageField(given, leads)).toBeUndefined();
  });

  test("keeps its other effects, and has no field on a type without such a choice", () => {
    const told = { notify: { to: ["owner"], text: "A" } } as const;
    const adopted = adoptStageField(having([told, ...entering('"contacted"')]), leads);
    expect(adopted?.stages[1]).toEqual({ key: "called", name: "Called", value: "contacted", enter: [told] });
    expect(adoptStageField(old, quotes)).toBeUndefined();
  });
});
