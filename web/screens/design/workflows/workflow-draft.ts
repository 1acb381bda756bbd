// A workflow while it is being designed: its stages in order and the transitions between them. Stages are known by their
// key, transitions by their place. Every function gives the whole anew. Pure.
import type { StageDefinition, TransitionDefinition, WorkflowDefinition } from "../../../../contract/workflow.ts";
import { freeName, slug } from "../../../fields/design/option-rows.ts";

/** Undefined where the text is no workflow. */
export function readWorkflow(text: string): WorkflowDefinition | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const { stages, transitions } = parsed as WorkflowDefinition;
    return Array.isArray(stages) && Array.isArray(transitions) ? (parsed as WorkflowDefinition) : undefined;
  } catch {
    return undefined;
  }
}

export const writeWorkflow = (workflow: WorkflowDefinition): string => JSON.stringify(workflow, null, 2);

export const fromOf = ({ from }: TransitionDefinition): readonly string[] => (typeof from === "string" ? [from] : from);

/** A key that the service takes: letters, digits and _, a letter first. */
const keyOf = (text: string, taken: readonly string[], spare: string): string => {
  const name = slug(text)
    .replace(/^[^a-z]+/u, "")
    .slice(0, 36);
  return freeName(name === "" ? spare : name, taken);
};

/** The service takes no keys without a value. */
function tidy<Part extends object>(part: Part): Part {
  // The same keys but for those that hold nothing.
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as Part;
}

/** Before the first end, so that what is new has somewhere to lead. */
export function withStage(
  workflow: WorkflowDefinition,
  name: string,
): { readonly workflow: WorkflowDefinition; readonly key: string } {
  const key = keyOf(
    name,
    workflow.stages.map((stage) => stage.key),
    "stage",
  );
  const end = workflow.stages.findIndex(({ kind }) => kind === "end");
  const at = end < 0 ? workflow.stages.length : end;
  return { workflow: { ...workflow, stages: workflow.stages.toSpliced(at, 0, { key, name }) }, key };
}

export function changeStage(
  workflow: WorkflowDefinition,
  key: string,
  changes: Partial<StageDefinition>,
): WorkflowDefinition {
  return {
    ...workflow,
    stages: workflow.stages.map((stage) => {
      if (stage.key === key) return tidy({ ...stage, ...changes });
      // Records begin in one stage only.
      return changes.kind === "start" && stage.kind === "start" ? tidy({ ...stage, kind: undefined }) : stage;
    }),
  };
}

/** The key follows the name for as long as no record knows it and nobody wrote it. */
export function nameStage(
  workflow: WorkflowDefinition,
  key: string,
  name: string,
  isStored: boolean,
): { readonly workflow: WorkflowDefinition; readonly key: string } {
  const others = workflow.stages.flatMap((stage) => (stage.key === key ? [] : [stage.key]));
  const before = workflow.stages.find((stage) => stage.key === key)?.name ?? "";
  const named = changeStage(workflow, key, { name });
  if (isStored || key !== keyOf(before, others, "stage")) return { workflow: named, key };
  const next = keyOf(name, others, "stage");
  return { workflow: renameKey(named, key, next), key: next };
}

/** Its name in transitions goes along. */
export function renameKey(workflow: WorkflowDefinition, key: string, next: string): WorkflowDefinition {
  const other = (one: string): string => (one === key ? next : one);
  return {
    ...workflow,
    stages: workflow.stages.map((stage) => (stage.key === key ? { ...stage, key: next } : stage)),
    transitions: workflow.transitions.map((one) => ({
      ...one,
      from: typeof one.from === "string" ? other(one.from) : one.from.map(other),
      to: other(one.to),
    })),
  };
}

/** With it go the transitions that lead there, and those that start nowhere else. */
export function withoutStage(workflow: WorkflowDefinition, key: string): WorkflowDefinition {
  return {
    ...workflow,
    stages: workflow.stages.filter((stage) => stage.key !== key),
    transitions: workflow.transitions.flatMap((one) => {
      const from = fromOf(one).filter((start) => start !== key);
      return one.to === key || from.length === 0 ? [] : [{ ...one, from: oneOrMore(from) }];
    }),
  };
}

const oneOrMore = (from: readonly string[]): string | readonly string[] =>
  from.length === 1 && from[0] !== undefined ? from[0] : from;

export function withTransition(
  workflow: WorkflowDefinition,
  from: string,
  label: string,
): { readonly workflow: WorkflowDefinition; readonly place: number } {
  const at = workflow.stages.findIndex((stage) => stage.key === from);
  const to = workflow.stages[at + 1] ?? workflow.stages.find((stage) => stage.key !== from);
  const name = nameFor(workflow, label);
  const transition: TransitionDefinition = { name, label, from, to: to?.key ?? from };
  return {
    workflow: { ...workflow, transitions: [...workflow.transitions, transition] },
    place: workflow.transitions.length,
  };
}

const nameFor = (workflow: WorkflowDefinition, label: string, except?: number): string =>
  keyOf(
    label,
    workflow.transitions.flatMap((one, index) => (index === except ? [] : [one.name])),
    "action",
  );

/** Its name follows its label for as long as nobody wrote it. */
export function changeTransition(
  workflow: WorkflowDefinition,
  place: number,
  changes: Partial<TransitionDefinition>,
): WorkflowDefinition {
  return {
    ...workflow,
    transitions: workflow.transitions.map((one, index) => {
      if (index !== place) return one;
      const follows = changes.label !== undefined && one.name === nameFor(workflow, one.label, place);
      const from =
        changes.from === undefined || typeof changes.from === "string" ? {} : { from: oneOrMore(changes.from) };
      const name = follows ? { name: nameFor(workflow, changes.label ?? "", place) } : {};
      return tidy({ ...one, ...changes, ...from, ...name });
    }),
  };
}

export const withoutTransition = (workflow: WorkflowDefinition, place: number): WorkflowDefinition => ({
  ...workflow,
  transitions: workflow.transitions.filter((_, index) => index !== place),
});

interface StageFieldOption {
  readonly value: string;
  readonly label: string;
}

/** Chooses the field that is the stage, or none. Stages get the option that is called like them, where there is one. */
export function withStageField(
  workflow: WorkflowDefinition,
  field: string | undefined,
  options: readonly StageFieldOption[],
): WorkflowDefinition {
  const alike = ({ key, name }: StageDefinition): string | undefined => {
    const plain = name.replace(/^[\d. ]+/u, "").toLowerCase();
    return options.find(({ value, label }) => value === key || label.toLowerCase() === plain)?.value;
  };
  return tidy({
    ...workflow,
    stage_field: field,
    stages: workflow.stages.map((stage) => tidy({ ...stage, value: field === undefined ? undefined : alike(stage) })),
  });
}

/** What was refused, by `stage <key>` or `transition <place>`; the rest under the empty name. `wordsOf` tells which part of it. */
export function faultsOf(
  errors: readonly string[],
  workflow: WorkflowDefinition,
  wordsOf: (path: readonly string[]) => string,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const { stages, transitions } = workflow;
  for (const error of errors) {
    const [, place = "", words = error] = /^(?:Definition )?([\w.&]+): (.*)$/su.exec(error) ?? [];
    const [part, which = "", ...rest] = place.split(".");
    const number = /^\d+$/u.test(which) ? Number(which) : undefined;
    const stage =
      part === "stages" ? (number === undefined ? stages.find(({ key }) => key === which) : stages[number]) : undefined;
    const transition = part === "transitions" ? (number ?? transitions.findIndex(({ name }) => name === which)) : -1;
    const key = stage ? `stage ${stage.key}` : transition >= 0 ? `transition ${transition}` : "";
    const sentence = [wordsOf(rest), words].filter(Boolean).join(": ");
    found.set(key, [found.get(key), sentence].filter(Boolean).join("; "));
  }
  return found;
}
