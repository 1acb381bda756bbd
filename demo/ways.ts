// Takes rows of leads, opportunities or quotes as columns; puts each into the stage that its story came to, and gives the
// log of how it got there: what the workflow itself would have written, spread over the time that the story took.
import type { StageDefinition, TransitionDefinition } from "../contract/workflow.ts";
import type { ColumnValues } from "../server/records/read/row-values.ts";
import { standardWorkflows } from "../server/seed/standard-workflows.ts";
import { instantText } from "./calendar.ts";
import { type Random, randomFrom } from "./random.ts";

/** Node ids by stage key. */
export type NodesOf = (controller: string) => ReadonlyMap<string, string>;
/** Who decides on what a person submits. */
export type ManagerOf = (userId: string) => string | null;

const pipeline = ["qualification", "needs_analysis", "proposal", "negotiation"];

/** The stages that a record has been in, in order. */
function wayOf(controller: string, row: ColumnValues, given: string | undefined, random: Random): readonly string[] {
  if (given !== undefined) return given.split(" ");
  if (controller === "crm/opportunities") {
    const stage = row.stage ?? "";
    if (stage === "won") return [...pipeline, "won"];
    if (stage === "lost") return [...pipeline.slice(0, random.int(1, 4)), "lost"];
    return pipeline.slice(0, pipeline.indexOf(stage) + 1);
  }
  const contacted = random.chance(0.8) ? ["new", "contacted"] : ["new"];
  switch (row.status) {
    case "contacted":
      return ["new", "contacted"];
    case "qualified":
      return [...contacted, "qualified"];
    case "converted":
      return [...contacted, "qualified", "converted"];
    case "unqualified":
      return [...contacted, "lost"];
    default:
      return ["new"];
  }
}

const millis = (text: string | null | undefined): number => Date.parse(`${(text ?? "").replace(" ", "T")}Z`);

/** Gives the entries of the log; `given` are ways that the demo itself tells. */
export function putOnTheirWay(
  controller: string,
  rows: readonly ColumnValues[],
  given: readonly (string | undefined)[],
  nodesOf: NodesOf,
  managerOf: ManagerOf,
): ColumnValues[] {
  const workflow = standardWorkflows.find((one) => one.controller === controller)?.definition;
  if (!workflow) return [];
  const nodes = nodesOf(controller);
  const stages = new Map(workflow.stages.map((stage) => [stage.key, stage]));
  const random = randomFrom(`ways of ${controller}`);
  return rows.flatMap((row, index) => {
    const way = wayOf(controller, row, given[index], random);
    const begin = millis(row.created);
    const end = Math.max(begin, millis(row.modified ?? row.created));
    const times = way.map((_, step) => instantText(begin + ((end - begin) * step) / Math.max(1, way.length - 1)));
    row.current_stage = nodes.get(way.at(-1) ?? "") ?? null;
    row.stage_since = times.at(-1) ?? null;
    row.workflow_version = "1";
    return way.map((key, step): ColumnValues => {
      const from = way[step - 1];
      const stage = from === undefined ? undefined : stages.get(from);
      const transition = workflow.transitions.find((one) => one.to === key && leaves(one, from));
      const actor = stage && decides(stage) ? managerOf(row.owned_by ?? "") : (row.owned_by ?? null);
      const author = step === 0 ? (row.created_by ?? null) : actor;
      const at = times[step] ?? null;
      return {
        related_type: controller,
        related_id: row.id ?? null,
        step: step === 0 ? "start" : "move",
        kind: step === 0 ? null : (transition?.kind ?? "move"),
        action_name: step === 0 ? null : (transition?.name ?? null),
        label: step === 0 ? null : (transition?.label ?? null),
        from_stage: from === undefined ? null : (nodes.get(from) ?? null),
        to_stage: nodes.get(key) ?? null,
        version: "1",
        comment: transition?.kind === "reject" ? random.pick(reasons) : null,
        created: at,
        modified: at,
        created_by: author,
        modified_by: author,
      };
    });
  });
}

const reasons = [
  "More than this customer pays elsewhere; ten points less, please.",
  "We gave the same discount last year and got nothing for it.",
  "Fine with a two-year term, not with one.",
];

const decides = ({ actors = [] }: StageDefinition): boolean => actors.includes("owner_manager");
const leaves = ({ from }: TransitionDefinition, key: string | undefined): boolean =>
  key !== undefined && (typeof from === "string" ? from === key : from.includes(key));
