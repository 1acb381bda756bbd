import { expect, test } from "vitest";
import { type Message, say } from "../../../../contract/messages.ts";
import { type Language, languages, write } from "../../../../contract/texts/write.ts";
import type { WorkflowDefinition } from "../../../../contract/workflow.ts";
import {
  changeStage,
  changeTransition,
  faultsOf,
  nameStage,
  renameKey,
  withoutStage,
  withStage,
  withStageField,
  withTransition,
} from "./workflow-draft.ts";

const workflow: WorkflowDefinition = {
  stages: [
    { key: "new", name: "New", kind: "start" },
    { key: "check", name: "Check" },
    { key: "done", name: "Done", kind: "end" },
  ],
  transitions: [
    { name: "submit", label: "Submit", from: "new", to: "check" },
    { name: "close", label: "Close", from: ["new", "check"], to: "done" },
  ],
};

test("a new stage stands before the end, with a key of its own", () => {
  const { workflow: grown, key } = withStage(workflow, "Check");
  expect(key).toBe("check_2");
  expect(grown.stages.map((stage) => stage.key)).toEqual(["new", "check", "check_2", "done"]);
});

test("only one stage is the start", () => {
  expect(changeStage(workflow, "check", { kind: "start" }).stages.map(({ kind }) => kind)).toEqual([
    undefined,
    "start",
    "end",
  ]);
});

test("a stage that goes takes along what leads there and what starts nowhere else", () => {
  const left = withoutStage(workflow, "check");
  expect(left.transitions).toEqual([{ name: "close", label: "Close", from: "new", to: "done" }]);
});

test("a key that changes is followed by the transitions", () => {
  expect(renameKey(workflow, "check", "review").transitions).toMatchObject([
    { to: "review" },
    { from: ["new", "review"] },
  ]);
});

test("the key of a stage follows its name until records know it", () => {
  const { workflow: grown, key } = withStage(workflow, "New stage");
  expect(nameStage(grown, key, "On hold", false).key).toBe("on_hold");
  expect(nameStage(grown, key, "On hold", true).key).toBe(key);
  expect(nameStage(workflow, "check", "On hold", true).workflow.stages[1]).toEqual({ key: "check", name: "On hold" });
});

test("a transition takes its name from its label, unlike any other's", () => {
  const { workflow: grown, place } = withTransition(workflow, "check", "Submit");
  expect(grown.transitions[place]).toMatchObject({ name: "submit_2", from: "check", to: "done" });
  expect(changeTransition(grown, place, { label: "Accept it" }).transitions[place]?.name).toBe("accept_it");
});

/** As the service says it. */
const faultAt = (path: string, reason: Message, language: Language): string =>
  write(say("design_fault", { path, reason }), language);

test.each(languages)("faults stand at the stage or transition that they name, in %s", (language) => {
  const [end, empty, unknown] = [say("dead_end"), say("must_not_be_empty"), say("missing_field", { name: "x" })];
  const faults = faultsOf(
    [
      faultAt("stages.check", end, language),
      faultAt("stages.0.name", empty, language),
      faultAt("transitions.close.condition", unknown, language),
      write(say("whole_design_fault", { reason: say("actor_missing", { actor: "role:nobody" }) }), language),
    ],
    workflow,
    (path) => path.join(" "),
  );
  expect(Object.fromEntries(faults)).toEqual({
    "stage check": write(end, language),
    "stage new": `name: ${write(empty, language)}`,
    "transition 1": `condition: ${write(unknown, language)}`,
    "": expect.stringContaining("role:nobody"),
  });
});

test("the field that is the stage gives stages the options that are called like them, and stays when stages change", () => {
  const options = [
    { value: "new", label: "New" },
    { value: "gone", label: "Lost" },
  ];
  const before = {
    stages: [
      { key: "new", name: "1. Fresh", kind: "start" as const },
      { key: "end", name: "2. Lost", kind: "end" as const },
      { key: "odd", name: "3. Odd" },
    ],
    transitions: [],
  };
  const chosen = withStageField(before, "status", options);
  expect([chosen.stage_field, ...chosen.stages.map(({ value }) => value)]).toEqual([
    "status",
    "new",
    "gone",
    undefined,
  ]);
  expect(withoutStage(renameKey(chosen, "end", "lost"), "odd")).toMatchObject({
    stage_field: "status",
    stages: [{ value: "new" }, { key: "lost", value: "gone" }],
  });
  expect(withStageField(chosen, undefined, [])).toEqual(before);
});
