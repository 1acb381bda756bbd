// Takes a caller, a record type and maybe an id; gives the view response in the mode asked for, or fails as if there
// were no such record.
import type { Caller } from "../../access/caller.ts";
import { undeletable } from "../../access/undeletable.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { FormMode } from "../../forms/actions.ts";
import { findForm } from "../../forms/find-form.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { noSuchRecord, planRead } from "../../plan/plan-read.ts";
import { formPointer } from "../../query/form-pointer.ts";
import type { Reader } from "./display-texts.ts";
import { emptyRecord } from "./empty-record.ts";
import { type PresentedView, presentView } from "./present-view.ts";
import { readRecord } from "./read-record.ts";
import { viewWorkflow } from "./view-workflow.ts";

export const preparedReader = (database: Database, memory?: Reader["memory"]): Reader => ({
  db: database,
  run: (statement) => database.prepared(statement),
  memory,
});

export const transactionReader = (transaction: Queryable): Reader => ({
  db: transaction,
  run: (statement) => transaction.prepared(statement),
  memory: undefined,
});

export async function viewRecord(
  reader: Reader,
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  mode: FormMode,
  id: string,
): Promise<PresentedView> {
  const found = await readRecord(reader, snapshot, planRead(snapshot, type, caller, id));
  if (!found) throw noSuchRecord(type);
  const kept = found.rights.delete && (await undeletable(reader.db, caller, type)).has(found.id);
  const record = kept ? { ...found, rights: { ...found.rights, delete: false } } : found;
  // Who may look but not change gets the form to look at.
  const effective = record.rights.edit && !record.deleted ? mode : "view";
  const form = await findForm(reader.db, snapshot, type, caller, effective, record.formPointer);
  const workflow = await viewWorkflow(reader, snapshot, type, caller, record);
  // A deleted record is not moved; a page that only shows has no buttons in its form.
  const actions = mode === "edit" && !record.deleted ? (workflow?.possible ?? []) : [];
  return presentView(snapshot, type, caller, form, record, workflow?.shown, actions);
}

export async function viewNothing(
  reader: Reader,
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  mode: FormMode,
): Promise<PresentedView> {
  const [pointer] = await reader.run(sql`select ${formPointer(caller, type)}`);
  const form = await findForm(reader.db, snapshot, type, caller, mode, pointer?.[0] ?? null);
  return presentView(snapshot, type, caller, form, await emptyRecord(reader.run, snapshot, type, caller, form));
}
