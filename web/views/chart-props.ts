// What every way of drawing a list view is given, whatever its kind.

import type { RecordTypeSchema } from "../../client/design/record-types.ts";
import type { Condition } from "../../client/lists/list-draft.ts";
import type { ListChoice, ListPage } from "../../client/lists/lists.ts";

export interface ChartProps {
  readonly recordTypeKey: string;
  readonly schema: RecordTypeSchema;
  /** The rows to draw, and the view's word on how. */
  readonly page: ListPage;
  /** What the rows were asked for with, for kinds that ask for more. */
  readonly choice: ListChoice;
  /** What the picture is called. */
  readonly label: string;
  /** In little room, on the dashboard: nothing but the picture. */
  readonly isTile: boolean;
  /** Where the list of the records behind a part of the picture is. */
  recordsHref(condition?: Condition): string;
}
