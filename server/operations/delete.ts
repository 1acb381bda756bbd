// delete, restore, purge: to the recycle bin, back from it, and out of it for good.
import { say } from "../../contract/messages.ts";
import { sweepFiles } from "../files/orphaned-files.ts";
import { deleteRecord, purgeRecord, restoreRecord } from "../records/save/delete-record.ts";
import { textAt } from "../request/tree.ts";
import { addressed, granted, requireId } from "./addressed.ts";
import { answerView } from "./answer-view.ts";
import type { Operation, OperationContext } from "./operation.ts";
import { runWrite } from "./write.ts";

const isSet = ({ call }: OperationContext, name: string): boolean => textAt(call.parameters, name) === "1";

export const remove: Operation = {
  methods: ["GET", "POST"],
  authentication: "required",
  reads: false,
  writes: "delete",
  run: (context) => {
    const { type } = addressed(context);
    const consent = { confirmed: isSet(context, "is_confirm"), override: isSet(context, "override") };
    return runWrite(context, async (work) => {
      const id = await deleteRecord(work, granted(context), requireId(context), consent);
      const data = { [type.alias]: { id, deleted: "1" } };
      return async () => ({
        message: [say("deleted_record", { type: type.label })],
        body: { id, is_record_deleted: true, data },
      });
    });
  },
};

export const restore: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  writes: "restore",
  run: (context) => {
    const { type } = addressed(context);
    return runWrite(context, async (work) => {
      const id = await restoreRecord(work, granted(context), requireId(context));
      return answerView(context, id, say("restored_record", { type: type.label }));
    });
  },
};

export const purge: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  writes: "purge",
  run: (context) => {
    const { type } = addressed(context);
    const { database, files } = context.services;
    const purged = runWrite(context, async (work) => {
      const id = await purgeRecord(work, granted(context), requireId(context), isSet(context, "is_confirm"));
      return async () => ({
        message: [say("purged_record", { type: type.label })],
        body: { id, data: { [type.alias]: { id } } },
      });
    });
    // Its files follow at once; what cannot be reached now is swept later.
    return purged.finally(() => sweepFiles(database, files).catch(() => 0));
  },
};
