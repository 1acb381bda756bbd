// Computes the formulas of a row before it is written, so conditions see the new results and one statement writes both.
// Whatever depends on other records is computed later, in the database (settle.ts), which also corrects what was unknown here.
import { evaluateFormula, resultText } from "../../../contract/formula/evaluate-formula.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { ColumnValues } from "../read/row-values.ts";

/** Changes `row`. Of a stored row some columns may not have been read: what needs them is left alone. */
export function computeFormulas(type: RecordType, row: ColumnValues, isNew: boolean): void {
  if (type.computed.size === 0) return;
  const isKnown = (name: string): boolean => isNew || Object.hasOwn(row, name);
  const inOrder = [...type.computed].sort(([, a], [, b]) => a.layer - b.layer);
  for (const [name, computation] of inOrder) {
    if (computation.kind !== "formula" || !isKnown(name) || ![...computation.own].every(isKnown)) continue;
    row[name] = resultText(
      evaluateFormula(computation.checked, (field) => row[field]),
      computation.shape,
    );
  }
}
