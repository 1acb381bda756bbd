// transition: what somebody who is about to take a transition is asked about the records that it creates, with the records
// that may be meant. undo_transition: takes the last transition back, where the workflow lets it; with `step`, only
// that one.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { mayWrite } from "../access/grant.ts";
import { previewTransition } from "../records/workflow/preview-transition.ts";
import { undoStep } from "../records/workflow/undo-step.ts";
import { textAt } from "../request/tree.ts";
import { addressed, requireId } from "./addressed.ts";
import { answerView } from "./answer-view.ts";
import type { Operation } from "./operation.ts";
import { runWrite } from "./write.ts";

/** A record type without stages has no workflow. */
const serves: NonNullable<Operation["serves"]> = (caller, type, _, rules) =>
  type.field.has("current_stage") && mayWrite(caller, type, "edit", rules);

export const transition: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  serves,
  async run(context) {
    const { caller, type } = addressed(context);
    const { snapshot, services, call } = context;
    const name = textAt(call.parameters, "name");
    if (name === undefined) {
      throw new Failure("malformed_parameter", { with: { name: "name", reason: say("must_be_transition") } });
    }
    const id = requireId(context);
    const work = { snapshot, caller, hooks: services.hooks, accessChanges: new Set<never>() };
    const records = await services.database.transaction((transaction) =>
      previewTransition({ ...work, transaction }, type, id, name),
    );
    return { body: { id, data: { transition: { name, records } } } };
  },
};

export const undoTransition: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "edit",
  serves,
  run: (context) => {
    const { type } = addressed(context);
    const step = textAt(context.call.parameters, "step");
    return runWrite(context, async (work) => {
      const { id, label, stays } = await undoStep(work, type, requireId(context), step);
      return answerView(context, id, say("step_undone", { action: label }), stays);
    });
  },
};
