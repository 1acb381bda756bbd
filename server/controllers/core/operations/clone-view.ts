// core/listviews clone: a copy of a view that the caller can see, as a personal view of their own. `data[listviews]` may
// give it another name, or change anything else of it.
import { say } from "../../../../contract/messages.ts";
import { write } from "../../../../contract/texts/write.ts";
import { mayRead } from "../../../access/visibility.ts";
import { sql } from "../../../database/sql.ts";
import { addressed, granted, requireId } from "../../../operations/addressed.ts";
import { answerForm } from "../../../operations/answer-view.ts";
import type { Operation } from "../../../operations/operation.ts";
import { runWrite } from "../../../operations/write.ts";
import { noSuchRecord, requireRecordId } from "../../../plan/plan-read.ts";
import { planSave } from "../../../plan/plan-write.ts";
import { saveRecord } from "../../../records/save/save-records.ts";
import { isTree } from "../../../request/tree.ts";

export const clone: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  writes: "add",
  async run(context) {
    const { caller, type } = addressed(context);
    const { call } = context;
    const id = requireRecordId(type, requireId(context));
    const changes = call.data[type.alias];
    return runWrite(context, async (work) => {
      const source = await work.transaction.row(sql`
        select name, controller, sequence, category_id, ui_helper, query, description from core__listviews r
        where ${mayRead(caller, type, "r", "few")} and r.deleted = 0 and r.id = ${id}::uuid`);
      if (!source) throw noSuchRecord(type);
      const sent = {
        ...source,
        name: write(say("copy_of", { name: source.name ?? "" }), caller.language),
        is_personal: "1",
        is_default: "0",
        ...(isTree(changes) ? changes : {}),
      };
      const grant = granted(context);
      const plan = planSave(work.snapshot, grant, { id: undefined, sent });
      const saved = await saveRecord(work, { grant, operation: "add" }, plan);
      return answerForm(context, saved, "edit", [say("copied", { name: source.name ?? "" })]);
    });
  },
};
