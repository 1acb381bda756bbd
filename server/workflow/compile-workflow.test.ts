// What a definition comes to: the defaults that it leaves out, and parts that no longer mean anything.
import { expect, test } from "vitest";
import type { EffectDefinition, TransitionDefinition } from "../../contract/workflow.ts";
import { compileWorkflow, fromOf } from "./compile-workflow.ts";
import { compiled, stageOf, transitionOf } from "./workflow-fixture.ts";

const stages = [
  { key: "draft", name: "Draft", kind: "start" },
  { key: "done", name: "Done", kind: "end", color: "green", value: "x", fixed: ["amount"], actors: ["owner"] },
] as const;
const having = (more: Partial<TransitionDefinition>) =>
  transitionOf(
    stageOf(
      compiled({
        stage_field: "status",
        stages,
        transitions: [{ name: "go", label: "Go", from: "draft", to: "done", ...more }],
      }),
      "draft",
    ),
    "go",
  );

test("a transition that says nothing moves, for whoever may edit, with a reason if they like, for good", () => {
  expect(having({})).toEqual({
    name: "go",
    label: "Go",
    to: "done",
    kind: "move",
    by: undefined,
    needsAll: false,
    condition: undefined,
    conditionText: undefined,
    required: [],
    reason: "optional",
    effects: [],
    canUndo: false,
  });
});

test.each<[string, Partial<TransitionDefinition>, object]>([
  ["a rejection needs a reason", { kind: "reject" }, { reason: "required" }],
  ["a rejection's own word about reasons stands", { kind: "reject", reason: "none" }, { reason: "none" }],
  ["a recall is the owner's", { kind: "recall" }, { by: ["owner"], reason: "optional" }],
  ["a recall may be somebody else's", { kind: "recall", by: ["role:boss"] }, { by: ["role:boss"] }],
  ["an approval needs one", { kind: "approve" }, { needsAll: false }],
  ["an approval needs one where it says any", { kind: "approve", needs: "any" }, { needsAll: false }],
  ["an approval needs all where it says all", { kind: "approve", needs: "all" }, { needsAll: true }],
  ["only approvals are votes", { kind: "move", needs: "all" }, { needsAll: false }],
  ["what it says of undo and fields", { undo: true, required: ["amount"] }, { canUndo: true, required: ["amount"] }],
  [
    "its condition, with its words",
    { condition: "amount > 1" },
    { conditionText: "amount > 1", condition: expect.any(Object) },
  ],
  ["a condition that cannot be read is none", { condition: "amount >" }, { condition: undefined }],
])("%s", (_, given, comes) => {
  expect(having(given)).toMatchObject(comes);
});

const effects: readonly EffectDefinition[] = [
  { when: "amount > 1", set: { status: '"x"', name: "name" } },
  { create: "crm/companies", as: "company", offer: ["existing"], values: { name: "name" } },
  { mail: { to: ["owner", "email:email"], subject: "About {{name}}", text: "Text" } },
  { notify: { to: ["owner"], text: "Told" } },
];

test("effects keep their kinds, conditions and choices; the stage field is not theirs to set", () => {
  const [set, create, mail, told] = having({ effects }).effects;
  expect(set).toMatchObject({ kind: "set", when: expect.any(Object), values: [["name", expect.any(Object)]] });
  expect(create).toMatchObject({
    kind: "create",
    when: undefined,
    type: "crm/companies",
    as: "company",
    offers: new Set(["existing"]),
    values: [["name", { kind: "field", field: "name" }]],
  });
  expect(mail).toMatchObject({
    kind: "mail",
    to: ["owner", "email:email"],
    subject: ["About ", { kind: "field", field: "name" }, ""],
    text: ["Text"],
  });
  expect(told).toMatchObject({ kind: "notify", to: ["owner"], text: ["Told"] });
});

test("what cannot be read any more is empty, or stands as it was written", () => {
  const [set, told] = having({
    effects: [{ set: { name: "((" } }, { notify: { to: ["owner"], text: "Hello {{" } }],
  }).effects;
  expect(set).toMatchObject({ values: [["name", { kind: "value", value: "" }]] });
  expect(told).toMatchObject({ text: ["Hello {{"] });
});

test("stages know their node, their ways out, and what they lend and fix", () => {
  const workflow = compiled({
    stages: [
      ...stages,
      { key: "vote", name: "Vote", actors: ["owner"], grants: ["delete"], enter: [{ set: { name: "name" } }] },
    ],
    transitions: [
      { name: "ask", label: "Ask", from: ["draft", "done"], to: "vote" },
      { name: "agree", label: "Agree", from: "vote", to: "done", kind: "approve", needs: "all" },
    ],
  });
  const [draft, done, vote] = workflow.stages;
  expect(draft).toEqual({
    id: "node of draft",
    key: "draft",
    name: "Draft",
    kind: "start",
    value: null,
    color: null,
    actors: [],
    grants: new Set(["read", "edit"]),
    fixed: new Set(),
    enter: [],
    needsAll: false,
    out: [expect.objectContaining({ name: "ask" })],
  });
  expect(done).toMatchObject({ kind: "end", color: "green", value: "x", fixed: new Set(["amount"]) });
  expect(done?.out.map(({ name }) => name)).toEqual(["ask"]);
  expect(vote).toMatchObject({ kind: "stage", needsAll: true, grants: new Set(["read", "delete"]) });
  expect(vote?.enter).toHaveLength(1);
  expect(workflow).toMatchObject({ id: "w", name: "Tested", version: "3", type: "crm/quotes", stageField: undefined });
  expect(workflow.start).toBe(draft);
  expect(workflow.byNode.get("node of vote")).toBe(vote);
  expect(workflow.byKey.get("vote")).toBe(vote);
});

test("a workflow without a start, or a stage without a node, is told of or known by nothing", () => {
  const source = { id: "9", name: "", version: "1", type: "crm/quotes", nodes: new Map<string, string>() };
  const without = { stages: [{ key: "a", name: "A" }], transitions: [] };
  expect(() => compileWorkflow({ ...source, definition: without })).toThrow("the workflow 9 has no start");
  expect(compileWorkflow({ ...source, definition: { stages, transitions: [] } }).start.id).toBe("");
});

test("a transition comes from one stage or several", () => {
  expect(fromOf({ from: "a" })).toEqual(["a"]);
  expect(fromOf({ from: ["a", "b"] })).toEqual(["a", "b"]);
});
