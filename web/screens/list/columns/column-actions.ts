// What the head of the table can do to its columns, as changes to the draft of the view.
import type { ListPage } from "../../../../client/lists/lists.ts";
import { newGroup, writeGrouping } from "../group/grouping.ts";
import type { ListPanel } from "../list-controls.tsx";
import { withSections } from "../sections/sections.ts";
import type { ViewDraft } from "../views/use-view-draft.ts";
import { hideColumn, lookOf, moveColumn } from "./column-changes.ts";
import { type ExpectedColumn, expectedHeader } from "./expected-header.ts";
import type { ColumnActions } from "./head-actions.ts";

export function columnActions(
  head: ListPage | undefined,
  draft: ViewDraft,
  onPanel: (panel: ListPanel) => void,
): ColumnActions | undefined {
  if (head === undefined || !draft.isReady) return undefined;
  const header = expectedHeader(draft.query, head.header);
  return {
    move: (column, before) =>
      draft.change((query) => moveColumn(query, inOrder(header), column.expression, before?.expression)),
    hide: ({ expression }) => draft.change((query) => hideColumn(query, header, expression)),
    pin: ({ name }, pinned) =>
      draft.change((query) => {
        // The first column stays in sight by itself, until something else is pinned: then it must be said.
        const [first] = header.filter(({ visible }) => visible !== 0);
        const isFirstPin = pinned && first !== undefined && !header.some((each) => each.pinned === "1");
        const start = isFirstPin ? lookOf(query, first.column_name, { pinned: "1" }) : query;
        return lookOf(start, name, { pinned: pinned ? "1" : "0" });
      }),
    total: ({ name }, on) => draft.change((query) => lookOf(query, name, { compute_column_total: on ? "1" : "0" })),
    filter: ({ name, own }) =>
      onPanel(own ? { kind: "condition", begin: { column: name, field: own } } : { kind: "filter" }),
    section: ({ name, own }) => {
      if (own !== undefined) draft.change((query) => withSections(query, newGroup(name, own)));
    },
    group: ({ name, own }) => {
      if (own === undefined) return;
      const by = [newGroup(name, own)];
      const figures = [{ aggregate: "count" as const, column: head.idColumn }];
      draft.change((query) => writeGrouping(query, { by, figures }));
      onPanel({ kind: "group" });
    },
  };
}

/** As the table shows them: pinned ones first. */
const inOrder = (header: readonly ExpectedColumn[]): readonly ExpectedColumn[] => [
  ...header.filter(({ pinned }) => pinned === "1"),
  ...header.filter(({ pinned }) => pinned !== "1"),
];
