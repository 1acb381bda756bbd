// Opportunities along the pipeline: each stage says how likely the deal is. Open stages can be left in any direction.
import type { StageDefinition, TransitionDefinition, WorkflowDefinition } from "../../../../contract/workflow.ts";
import { salesPeople } from "./lead-workflow.ts";

const open = [
  { key: "qualification", name: "Qualification", color: "gray", probability: 10, forecast: "pipeline" },
  { key: "needs_analysis", name: "Needs analysis", color: "blue", probability: 25, forecast: "pipeline" },
  { key: "proposal", name: "Proposal", color: "indigo", probability: 50, forecast: "best_case" },
  { key: "negotiation", name: "Negotiation", color: "violet", probability: 75, forecast: "commit" },
] as const;

const openStages = open.map(
  ({ key, name, color, probability, forecast }, index): StageDefinition => ({
    key,
    name,
    value: key,
    color,
    ...(index === 0 ? { kind: "start" } : {}),
    actors: ["owner"],
    enter: [{ set: { probability: String(probability), forecast: `"${forecast}"` } }],
  }),
);

const closing = (probability: string) => [{ set: { probability, forecast: '"closed"', closed: "now()" } }];

const moves = open.map(
  ({ key, name }): TransitionDefinition => ({
    name: `to_${key}`,
    label: `Move to ${name.toLowerCase()}`,
    from: open.map((one) => one.key).filter((from) => from !== key),
    to: key,
    by: salesPeople,
    undo: true,
  }),
);

export const opportunityWorkflow: WorkflowDefinition = {
  stage_field: "stage",
  stages: [
    ...openStages,
    { key: "won", name: "Won", kind: "end", value: "won", color: "green", enter: closing("100") },
    { key: "lost", name: "Lost", kind: "end", value: "lost", color: "red", enter: closing("0") },
  ],
  transitions: [
    ...moves,
    {
      name: "win",
      label: "Mark as won",
      from: ["proposal", "negotiation"],
      to: "won",
      by: salesPeople,
      required: ["amount"],
      undo: true,
      effects: [{ notify: { to: ["owner_manager"], text: "{{name}} is won" } }],
    },
    {
      name: "lose",
      label: "Mark as lost",
      from: open.map((one) => one.key),
      to: "lost",
      by: salesPeople,
      required: ["lost_reason"],
      undo: true,
    },
  ],
};
