// What a list shows beyond its saved view: a draft of the view's query. It is in the address, whole, so that a link shows
// the same to a colleague; the view itself changes only when it is saved.

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type ListDraft, readDraft, sameDraft } from "../../../../client/lists/list-draft.ts";
import type { ListChoice, ListPage } from "../../../../client/lists/lists.ts";
import type { SavedView } from "../../../../client/lists/saved-views.ts";
import { isGeneratedView } from "../../../../contract/generated-view.ts";
import { useSteady } from "../../../parts/use-steady.ts";
import { savedViewsQuery } from "../../../queries.ts";

export interface ViewDraft {
  /** All saved views of the record type. */
  readonly views: readonly SavedView[];
  /** The saved view that is drawn on; undefined for the one that the service makes up. */
  readonly saved: SavedView | undefined;
  /** What is shown: the draft, or the view as it is saved. */
  readonly query: ListDraft;
  readonly isChanged: boolean;
  /** Whether there is a query to change: not before the view is here. */
  readonly isReady: boolean;
  change(next: (query: ListDraft) => ListDraft, replace?: boolean): void;
  /** Puts the records in another order, in place of that of the address too; nothing is the service's own. */
  order(next: readonly string[]): void;
  reset(): void;
}

interface DraftParts {
  readonly recordTypeKey: string;
  readonly choice: ListChoice;
  readonly head: ListPage | undefined;
  readonly choose: (choice: ListChoice, replace?: boolean) => void;
}

const none: readonly SavedView[] = [];
const nothing: ListDraft = {};

export function useViewDraft({ recordTypeKey, choice, head, choose }: DraftParts): ViewDraft {
  const { data: views } = useQuery(savedViewsQuery(recordTypeKey));
  const id = choice.view ?? head?.viewId;
  const saved = views?.find((view) => view.id === id);
  // Of a view that nobody saved, its page without a draft tells what it is.
  const isMade = (id !== undefined && isGeneratedView(id)) || (views !== undefined && saved === undefined);
  const made = isMade && choice.q === undefined ? head : undefined;
  const base = useMemo(() => saved?.query ?? (made && queryOf(made)), [saved, made]);
  const drafted = useMemo(() => (choice.q === undefined ? undefined : readDraft(choice.q)), [choice.q]);
  const { q: _, ...plain } = choice;
  const change: ViewDraft["change"] = useSteady((next, replace = false) => {
    const start = drafted ?? base;
    if (start === undefined) return;
    const changed = next(start);
    const isSame = base !== undefined && sameDraft(changed, base);
    // An order belongs to the columns that were there: other groups have others.
    const { sort: __, dir: ___, ...unsorted } = plain;
    const rest = JSON.stringify(changed.group ?? []) === JSON.stringify(start.group ?? []) ? plain : unsorted;
    choose(isSame ? rest : { ...rest, q: JSON.stringify(changed) }, replace);
  });
  const order: ViewDraft["order"] = useSteady((next) => {
    const start = drafted ?? base;
    if (start === undefined) return;
    const { order: _, ...unordered } = start;
    const changed = next.length === 0 ? unordered : { ...unordered, order: next };
    const { sort: __, dir: ___, ...rest } = plain;
    choose(base !== undefined && sameDraft(changed, base) ? rest : { ...rest, q: JSON.stringify(changed) });
  });
  const reset = useSteady((): void => {
    const { sort: __, dir: ___, ...rest } = plain;
    choose(rest);
  });
  const isSorted = choice.sort !== undefined;
  return useMemo(
    () => ({
      views: views ?? none,
      saved,
      query: drafted ?? base ?? nothing,
      isChanged: drafted !== undefined || isSorted,
      isReady: base !== undefined || drafted !== undefined,
      ...{ change, order, reset },
    }),
    [views, saved, drafted, base, isSorted, change, order, reset],
  );
}

/** A view that nobody saved, as a query: what its page shows. */
export const queryOf = ({ header, order, group }: ListPage): ListDraft => ({
  fields: header.map(({ expression }) => expression),
  ...(group.length === 0 ? { order } : { group }),
  columns: Object.fromEntries(
    header.filter((each) => each.clickable_link === "1").map((each) => [each.column_name, { clickable_link: "1" }]),
  ),
});
