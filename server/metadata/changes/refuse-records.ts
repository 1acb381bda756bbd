// Takes the work that brings tables up to designs; where the records stand in its way, the design is refused with the place that asks
// for too much.
import { say } from "../../../contract/messages.ts";
import { isConstraint, isTableFull, violated } from "../../database/errors.ts";
import { definitionRefused } from "../definition-refusal.ts";
import type { RecordType } from "../record-type.ts";
import type { Snapshot } from "../snapshot.ts";
import { shapeTable, type TableShape } from "../table-shape.ts";
import { ColumnMismatch } from "../table-sync.ts";

/** Of a table in PostgreSQL. */
const MOST_COLUMNS = 1_600;

export async function whereRecordsAllow(
  snapshot: Snapshot,
  types: readonly RecordType[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const [duplicate, dangling] = [violated(error, "23505"), violated(error, "23503")];
    if (isTableFull(error))
      throw definitionRefused([{ at: "fields", wrong: say("table_full", { most: MOST_COLUMNS }) }]);
    if (error instanceof ColumnMismatch) throw definitionRefused([{ at: "", wrong: error.said }]);
    for (const type of types) refuseRecords(shapeTable(type, snapshot), type, duplicate, dangling);
    if (duplicate !== undefined) throw definitionRefused([{ at: "", wrong: say("not_unique", { index: duplicate }) }]);
    if (dangling !== undefined) throw definitionRefused([{ at: "", wrong: say("dangling", { reference: dangling }) }]);
    throw error;
  }
}

/** Where the design asks for it: a setting of the one field, or the whole. */
export function placeOf(type: RecordType, columns: readonly string[], setting: string): string {
  const [only, ...more] = columns.filter((column) => column !== "organization_id");
  return only !== undefined && more.length === 0 && type.field.has(only) ? `fields.${only}.${setting}` : "";
}

function refuseRecords(
  shape: TableShape,
  type: RecordType,
  duplicate: string | undefined,
  dangling: string | undefined,
): void {
  const index = duplicate === undefined ? undefined : shape.indexes.find(({ name }) => isConstraint(duplicate, name));
  if (index) {
    const wrong = say("not_unique", { index: index.name });
    throw definitionRefused([{ at: placeOf(type, index.columns, "unique"), wrong }], type.key);
  }
  const key = dangling === undefined ? undefined : shape.foreignKeys.find(({ name }) => isConstraint(dangling, name));
  if (key) {
    const wrong = say("dangling", { reference: key.name });
    throw definitionRefused([{ at: placeOf(type, key.columns, "type"), wrong }], type.key);
  }
}
