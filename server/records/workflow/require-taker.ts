// Refuses callers who cannot take the given transition of a record in its current state.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { actorContextOf } from "../../workflow/actor-context.ts";
import { actorsAsked, mayTake, takersOf, type WorkflowState } from "../../workflow/state.ts";
import type { Transition } from "../../workflow/workflow.ts";
import type { Work } from "../hooks.ts";
import { wireField } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { shownActors } from "./actor-names.ts";

interface Way extends WorkflowState {
  readonly transition: Transition;
  /** The caller holds the right to edit the record. */
  readonly mayEdit: boolean;
  /** What the refusal calls it, where it is not the transition itself. */
  readonly label?: string;
}

export async function requireTaker(work: Work, type: RecordType, row: ColumnValues, way: Way): Promise<void> {
  const { transition, mayEdit, label = transition.label } = way;
  const read = (name: string) => {
    const field = type.field.get(name);
    return field ? wireField(type, field, row) : null;
  };
  const owner = row.owned_by ?? null;
  const actorContext = await actorContextOf(work.transaction, work.caller, owner, actorsAsked(way, read), mayEdit);
  if (mayTake(way, transition, actorContext, read)) return;
  const takers = takersOf(way, transition, read) ?? [];
  const actors = await shownActors(work.transaction, work.caller, owner, takers);
  throw new Failure("transition_forbidden", {
    with: { action: label, actors, actions: say("no_actions") },
  });
}
