// edit_many: each of many records with new values of its own, in one call, which is one job to look at and to undo. A
// `revision` that is sent with a record is compared, as in an ordinary save. With a key, records are found by its fields.
import { say } from "../../contract/messages.ts";
import { recordIdOf } from "../fields/record-id.ts";
import { keepValues } from "../jobs/kept-values.ts";
import { startBulk } from "../jobs/start-bulk.ts";
import { ownedAssociations } from "../metadata/associations.ts";
import { checkKey, flagAt, shown, textAt } from "../request/tree.ts";
import { addressed, granted } from "./addressed.ts";
import { answerOf, atMostOneAction } from "./bulk.ts";
import { type NumberedRow, streamMany, upsertMany } from "./many/save-many.ts";
import type { Operation, OperationContext } from "./operation.ts";
import { refuseParameter, sentKey, sentRows } from "./sent-rows.ts";
import { runWrite } from "./write.ts";

export const editMany: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "bulk",
  writes: "edit",
  takesLines: true,
  run: async (context) => {
    atMostOneAction(context, "edit");
    if (context.call.lines) return streamMany(context, false);
    const { type } = addressed(context);
    const key = sentKey(context);
    if (key !== undefined) {
      const atomic = flagAt(context.call.parameters, "atomic");
      return upsertMany(context, keyedRows(context), { key, adds: false, atomic });
    }
    const rows = editedRows(context);
    const isSet = (name: string): boolean => textAt(context.call.parameters, name) === "1";
    const input = {
      atomic: flagAt(context.call.parameters, "atomic"),
      overrideDuplicates: isSet("override_duplicates"),
    };
    return runWrite(context, async (work) => {
      const started = await startBulk(work, { kind: "edit", grant: granted(context), selection: { rows }, input });
      return async () => answerOf(type, "edit", started, context.language);
    });
  },
};

/** Each record by its key. */
function keyedRows(context: OperationContext): readonly NumberedRow[] {
  const { type } = addressed(context);
  const children = new Set(ownedAssociations(type).map(({ name }) => name));
  const rows = sentRows(context);
  for (const [number, values] of rows) {
    const child = Object.keys(values).find((name) => children.has(name));
    if (child !== undefined) refuseParameter(`data[${type.alias}][${number}][${child}]`, say("not_for_many"));
  }
  return rows;
}

/** Each record once, by its id. */
function editedRows(context: OperationContext): (readonly [string, string])[] {
  const { type } = addressed(context);
  const children = new Set(ownedAssociations(type).map(({ name }) => name));
  const rows = new Map<string, string>();
  for (const [number, { id, ...values }] of sentRows(context)) {
    const place = `data[${type.alias}][${number}]`;
    if (typeof id !== "string" || id.trim() === "") return refuseParameter(`${place}[id]`, say("must_name_record"));
    checkKey(id.trim(), `${place}[id]`);
    const known = recordIdOf(id, type.idKind) ?? shown(id);
    if (rows.has(known)) refuseParameter(`${place}[id]`, say("appears_twice"));
    const child = Object.keys(values).find((name) => children.has(name));
    if (child !== undefined) refuseParameter(`${place}[${child}]`, say("not_for_many"));
    if (Object.keys(values).every((name) => name === "revision")) refuseParameter(place, say("must_hold_values"));
    rows.set(known, keepValues(values));
  }
  return [...rows];
}
