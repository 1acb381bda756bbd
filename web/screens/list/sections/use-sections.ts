// The sections of a list, and which of them are folded: one call for all of them. Folding is remembered in this browser.
import { useLocalStorage } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { ListChoice, ListPage } from "../../../../client/lists/lists.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { useTimeZone } from "../../../fields/formats.ts";
import { chartQuery } from "../../../queries.ts";
import { ownKey } from "../../../session/own-key.ts";
import { type Column, columnsOf } from "../columns/columns.ts";
import { type GroupBy, groupText } from "../group/grouping.ts";
import type { RowsPart } from "../table/use-rows.ts";
import { type Folded, foldedIn, withFolded } from "./folded.ts";
import { type Lines, linesOf } from "./lines.ts";
import { figuredColumns, fitsSections, type Section, sectionsAsked, sectionsOf } from "./sections.ts";

export interface Sections {
  readonly all: readonly Section[];
  /** The columns of what the service told: the value, how many, and the figures of `figured` in their order. */
  readonly told: readonly Column[];
  /** Names of the table's columns that have a figure. */
  readonly figured: readonly string[];
  /** Of what the service told, where it is one of days. */
  readonly period: string | undefined;
  /** There are more than are drawn. */
  readonly isCut: boolean;
  toggle(section: Section): void;
  foldAll(isFolded: boolean): void;
}

interface SectionsParts {
  readonly schema: RecordTypeSchema;
  readonly choice: ListChoice;
  readonly head: ListPage;
  readonly columns: readonly Column[];
  /** Undefined where the list has no sections. */
  readonly by: GroupBy | undefined;
}

const nothing: Folded = [];

/** A list without sections is one part. */
export const tableLines = (sections: readonly Section[] | undefined, total: number): Lines<RowsPart> =>
  sections === undefined
    ? linesOf<RowsPart>([{ key: "", count: total, isFolded: false }], false)
    : linesOf<RowsPart>(sections, true);

const isRefused = (error: Error | null): boolean =>
  error instanceof WireFailure && error.code === "malformed_parameter";

/** Undefined where the list has no sections, or they are not known: they are awaited, or could not be asked for. */
export function useSections({ schema, choice, head, columns, by }: SectionsParts): {
  readonly sections: Sections | undefined;
  /** The view has sections that its fields no longer make. */
  readonly isUnfit: boolean;
  readonly isAwaited: boolean;
  readonly failure: { readonly error: Error; readonly retry: () => void } | undefined;
} {
  const timeZone = useTimeZone();
  const [kept, setKept] = useLocalStorage<Folded>({
    key: ownKey("folded"),
    defaultValue: nothing,
    getInitialValueInEffect: false,
  });
  const list = `${head.viewId} ${by === undefined ? "" : groupText(by)}`;
  const closed = foldedIn(kept, list);
  const figured = figuredColumns(columns);
  const field = schema.fields.find(({ column_name: name }) => name === by?.column);
  // An order of rows is none of sections.
  const { sort: _, dir: __, ...unsorted } = choice;
  const {
    data: page,
    error,
    refetch,
  } = useQuery({
    ...chartQuery(schema.recordType.key, unsorted, {
      q: by === undefined ? {} : sectionsAsked(by, field, head.idColumn, figured),
    }),
    enabled: by !== undefined,
    placeholderData: keepPreviousData,
  });
  const isSectioned = by !== undefined;
  const folded = useMemo(() => new Set(closed), [closed]);
  const all = useMemo(
    () => (page === undefined || !isSectioned ? [] : sectionsOf(page, folded, timeZone)),
    [page, isSectioned, folded, timeZone],
  );
  const told = useMemo(() => (page === undefined ? [] : columnsOf(page, schema)), [page, schema]);
  // The field is gone, or has a type that has no such groups: the list goes on without sections, as the designer was told. What is asked for by
  // an old name of a field works: only what is refused is lost.
  const isUnfit = by !== undefined && isRefused(error) && !fitsSections(by, schema);
  if (by === undefined || isUnfit) return { sections: undefined, isUnfit, isAwaited: false, failure: undefined };
  if (page === undefined) {
    const failure = error === null ? undefined : { error, retry: () => void refetch() };
    return { sections: undefined, isUnfit, isAwaited: failure === undefined, failure };
  }
  const fold = (next: readonly string[]): void => setKept(withFolded(kept, list, next));
  const sections: Sections = {
    all,
    told,
    figured: figured.map(({ name }) => name),
    period: page.header[0]?.period,
    isCut: page.total > page.rows.length,
    toggle: ({ key: one, isFolded }) => fold(isFolded ? closed.filter((each) => each !== one) : [...closed, one]),
    foldAll: (isFolded) => fold(isFolded ? all.map(({ key: one }) => one) : []),
  };
  return { sections, isUnfit, isAwaited: false, failure: undefined };
}
