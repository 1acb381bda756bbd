// revisions: what became of a record, change by change. revert: back to how it was after one of them.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { readHistory } from "../records/history/read-history.ts";
import { revertRecord } from "../records/history/revert-record.ts";
import { preparedReader } from "../records/read/view-record.ts";
import { textAt } from "../request/tree.ts";
import { addressed, granted, requireId } from "./addressed.ts";
import { answerView } from "./answer-view.ts";
import type { Operation } from "./operation.ts";
import { pageOf } from "./pages.ts";
import { runWrite } from "./write.ts";

export const revisions: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  async run(context) {
    const { caller, type } = addressed(context);
    const { page, limit, offset } = pageOf(context, 100);
    const reader = preparedReader(context.services.database);
    const id = requireId(context);
    const history = await readHistory(reader, context.snapshot, type, caller, id, { limit, offset });
    return { body: { id, data: { revisions: history.revisions }, page, limit, total_count: Number(history.total) } };
  },
};

export const revert: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  writes: "edit",
  run: (context) => {
    const { type } = addressed(context);
    const revision = textAt(context.call.parameters, "revision");
    if (revision === undefined) {
      const reason = say("must_be_revision");
      throw new Failure("malformed_parameter", { with: { name: "revision", reason } });
    }
    return runWrite(context, async (work) => {
      const { id, stays } = await revertRecord(work, granted(context), requireId(context), revision);
      const restored = { type: type.label, revision };
      const message = stays ? say("restored_but_stage", { ...restored, reason: stays }) : say("restored", restored);
      return answerView(context, id, message);
    });
  },
};
