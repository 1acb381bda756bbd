// Takes a save that was made on an older state of a record; gives the failure that shows the record as it is now, which
// fields differ, and what was sent.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { typeOf } from "../../metadata/compile.ts";
import { planRead } from "../../plan/plan-read.ts";
import type { WritePlan } from "../../plan/plan-write.ts";
import { echo } from "../../request/echo.ts";
import type { Tree } from "../../request/tree.ts";
import type { Work } from "../hooks.ts";
import { presentData } from "../read/present-view.ts";
import { readRecord } from "../read/read-record.ts";
import { fieldRow, sameField, wireField } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { transactionReader } from "../read/view-record.ts";

export async function staleRevision(work: Work, plan: WritePlan, stored: ColumnValues, sent: Tree): Promise<Failure> {
  const { snapshot, caller, transaction } = work;
  const { type } = plan.grant;
  const record = await readRecord(
    transactionReader(transaction),
    snapshot,
    planRead(snapshot, type, caller, stored.id ?? ""),
  );
  const { visible } = plan.grant.fields;
  const differences = type.fields.flatMap((field) => {
    const values = visible.has(field.name) ? plan.values.get(field.name) : undefined;
    if (values === undefined || sameField(field, values, fieldRow(type, field, stored))) return [];
    const mine = typeOf(field).present(values, field);
    return [{ field: field.name, label: field.label, sent: mine, stored: wireField(type, field, stored) }];
  });
  // One sentence for both: whoever saves one record is told the same as whoever saves many.
  const differs = (label: string) => say("differs", { field: label });
  const current = record && presentData(snapshot, type, caller, { hidden: new Set() }, record);
  return new Failure("conflict", {
    with: { reason: say("record_changed") },
    errors: differences.map(({ label }) => differs(label)),
    byField: Object.fromEntries(differences.map(({ field, label }) => [`${type.alias}.${field}`, [differs(label)]])),
    body: { data: { [type.alias]: echo(sent) }, current: { [type.alias]: current }, differences },
  });
}
