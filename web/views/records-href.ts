// Where the records behind a picture are listed: the record type's whole table, narrowed by what the picture was made of
// and by the slice that was chosen. All of it is in the address, where it can be changed further. Pure.

import type { RecordTypeSchema } from "../../client/design/record-types.ts";
import { allOf, type Condition, type ListDraft, writeDraft } from "../../client/lists/list-draft.ts";
import type { SavedView } from "../../client/lists/saved-views.ts";
import { generatedViewId } from "../../contract/generated-view.ts";

const MOST_COLUMNS = 8;

interface Behind {
  readonly schema: RecordTypeSchema;
  readonly views: readonly Pick<SavedView, "id" | "kind" | "isDefault" | "query">[];
  readonly conditions: readonly (Condition | undefined)[];
  readonly search: string | undefined;
}

export function recordsHref({ schema, views, conditions, search }: Behind): string {
  const { key, display_field: first } = schema.recordType;
  const whole = views.filter(
    ({ kind, query }) => kind === "table" && query.where === undefined && query.group === undefined,
  );
  const view = whole.find(({ isDefault }) => isDefault) ?? whole[0];
  const own = schema.fields.filter(({ system, column_name }) => system !== true && column_name !== first);
  const made: ListDraft = { fields: [first, ...own.slice(0, MOST_COLUMNS).map(({ column_name }) => column_name)] };
  const where = allOf(...conditions.filter((one) => one !== undefined && Object.keys(one).length > 0));
  const q = writeDraft({ ...(view?.query ?? made), ...(where.length === 0 ? {} : { where }) });
  const parameters = new URLSearchParams({ view: view?.id ?? generatedViewId(key) });
  if (search !== undefined) parameters.set("search", search);
  if (q !== undefined && where.length > 0) parameters.set("q", q);
  return `/${key}/index?${parameters}`;
}
