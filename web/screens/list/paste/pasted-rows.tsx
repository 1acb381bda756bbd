// Rows that are pasted beside the table of a list: no cell says where they would go, so they are imported.
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import { isDrawn, useImportRows } from "./use-import-rows.ts";
import { usePastedRows } from "./use-pasted-rows.ts";

interface PastedRowsProps {
  readonly schema: RecordTypeSchema;
  readonly mayImport: boolean;
  /** Of the columns that are shown. */
  readonly labels: readonly string[];
}

export function PastedRows({ schema, mayImport, labels }: PastedRowsProps) {
  const importRows = useImportRows(schema);
  usePastedRows(mayImport && !isDrawn(schema), (block) => importRows(block, labels));
  return null;
}
