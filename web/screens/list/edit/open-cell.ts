// A cell that is edited, or that could not be saved: what was there, what was typed, and what stands in the way.
import type { SchemaField } from "../../../../client/design/record-types.ts";
import type { Column } from "../columns/columns.ts";
import type { Place } from "../table/use-roving.ts";
import type { CellValue } from "./patch-rows.ts";

export interface OpenCell {
  readonly place: Place;
  readonly id: string;
  /** What its record is called. */
  readonly name: string;
  readonly column: Column;
  readonly field: SchemaField;
  /** What the list shows of it. */
  readonly before: CellValue;
  readonly typed: CellValue;
  readonly errors: readonly string[];
  /** What somebody else saved meanwhile. */
  readonly theirs: (CellValue & { readonly revision: string | undefined }) | undefined;
}
