// What every way of drawing a list view is given, whatever its kind.

import type { RecordTypeSchema } from "../../client/design/record-types.ts";
import type { ColorRule, Condition } from "../../client/lists/list-draft.ts";
import type { ListChoice, ListPage } from "../../client/lists/lists.ts";
import type { Compared } from "./spans.ts";

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
  /** The view's colors. */
  readonly colors?: readonly ColorRule[] | undefined;
  /** The page is of `now`; what it is compared with, and the condition for that. */
  readonly compared?: (Pick<Compared, "now" | "before"> & { readonly where: Condition }) | undefined;
  /** Where the list of the records behind a part of the picture is. */
  recordsHref(condition?: Condition): string;
}
