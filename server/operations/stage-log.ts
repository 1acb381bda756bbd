// stage_log: a record's way through its workflow, oldest first: who moved it, when, from where to where, how long it
// stayed, and what was said.
import { fieldMask } from "../access/field-mask.ts";
import { instant } from "../lib/instant.ts";
import { requireType } from "../metadata/snapshot.ts";
import { noSuchRecord, requireRecordId } from "../plan/plan-read.ts";
import { rightsOfRecord } from "../query/record-access.ts";
import { readDisplayTexts } from "../records/read/display-texts.ts";
import { readStageLog } from "../records/workflow/stage-log.ts";
import { secondsBetween } from "../workflow/stage-log.ts";
import { addressed, requireId } from "./addressed.ts";
import type { Operation } from "./operation.ts";

const USERS = "access_controls/users";
const NODES = "core/workflow_nodes";

export const stageLog: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  async run(context) {
    const { caller, type } = addressed(context);
    const { services, snapshot } = context;
    const id = requireRecordId(type, requireId(context));
    const db = services.database;
    const record = await db.row(rightsOfRecord(caller, type, id));
    if (!record || (record.deleted === "1" && record.is_delete !== "1")) throw noSuchRecord(type);
    // Who may not see the stage of a record is not told how it came there.
    const isShown = fieldMask(type, caller).visible.has("current_stage");
    const log = isShown ? await readStageLog(db, caller.organizationId, type.key, id) : [];
    const ids = new Map([
      [USERS, new Set(log.flatMap((entry) => entry.createdBy ?? []))],
      [NODES, new Set(log.flatMap((entry) => [entry.from, entry.to].filter((node) => node !== null)))],
    ]);
    const types = [USERS, NODES].map((key) => requireType(snapshot, key));
    const texts = await readDisplayTexts(async (one) => (await db.run(one)).rows, snapshot, caller, types, ids);
    const stageName = (node: string | null) => {
      const name = texts.of(NODES, node);
      return name && snapshot.words(name);
    };
    const now = instant();
    const entries = log.map((entry, index) => {
      // A vote keeps the record where it is.
      const left = log.slice(index + 1).find((later) => later.step !== "vote")?.created;
      return {
        id: entry.id,
        step: entry.step,
        kind: entry.kind,
        action: entry.action,
        label: entry.label && snapshot.words(entry.label),
        from: entry.from,
        __from: stageName(entry.from),
        to: entry.to,
        __to: stageName(entry.to),
        comment: entry.comment,
        created: entry.created,
        created_by: entry.createdBy,
        __created_by: texts.of(USERS, entry.createdBy),
        version: entry.version,
        /** How long the record stayed where this entry brought it; of the last one, until now. */
        seconds: entry.step === "vote" ? null : String(secondsBetween(entry.created, left ?? now)),
        left: left ?? null,
      };
    });
    return { body: { id, data: { stage_log: entries }, total_count: entries.length } };
  },
};
