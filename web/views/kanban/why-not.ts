// Why a card cannot go to a lane, in a sentence; undefined where it can, as far as is known.
import type { TFunction } from "i18next";
import type { StageTransition } from "../../../client/records/stages.ts";
import type { WireWorkflow } from "../../../client/records/workflow.ts";

/** `workflow` is that of the record, once it is known: who may act, and which conditions hold. */
export function stageRefusal(
  t: TFunction,
  leading: readonly StageTransition[],
  lanes: { readonly from: string; readonly to: string },
  workflow: WireWorkflow | null | undefined,
): string | undefined {
  if (leading.length === 0) return t("charts.no_way", lanes);
  if (!workflow) return undefined;
  const names = new Set(leading.map(({ name }) => name));
  if (workflow.transitions.some(({ name, possible }) => possible && names.has(name))) return undefined;
  const reasons = workflow.blocked.filter(({ name }) => names.has(name)).map(({ reason }) => reason);
  return reasons.length === 0 ? undefined : reasons.join(" ");
}
