// What a view would be saved as: its query as it is shown, with the order that the table is sorted by.
import type { ListDraft } from "../../../../client/lists/list-draft.ts";
import type { ListChoice } from "../../../../client/lists/lists.ts";

export const queryToSave = (query: ListDraft, { sort, dir }: ListChoice): ListDraft =>
  sort === undefined ? query : { ...query, order: [`${sort} ${dir ?? "ASC"}`] };
