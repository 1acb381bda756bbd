// What a new record, or a new row of one, shows of the records that it names before it is saved: the very values that the save would take
// over. What somebody typed is left alone.
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FormElement, RecordView, WireChild, WireRecord, WireValue } from "../../../../client/records/records.ts";
import { useKnownTexts } from "../../../fields/files/record-values.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { startsQuery } from "../../../queries.ts";
import { elementsOf, fieldName } from "./form-rules.ts";
import type { Changes } from "./use-draft.ts";

const BREATH_MS = 150;
const noElements: readonly FormElement[] = [];
const noneTaken: ReadonlySet<string> = new Set();

/** `given`: what was typed; undefined for what was not. */
function useStarts(
  key: string,
  elements: readonly FormElement[],
  given: (field: string) => WireValue | undefined,
  rowsOf?: string,
) {
  const starting = elements.filter(({ starts_from: from }) => from?.reference != null);
  const sources = new Set(
    starting.flatMap(({ starts_from: from, choices }) => [from?.reference ?? "", ...(choices?.by ?? [])]),
  );
  const names = new Set([...starting.map(fieldName), ...sources]);
  const values = [...names].flatMap((name): [string, WireValue][] => {
    const value = given(name);
    // Of what nothing else comes from, only that it was typed matters.
    return value === undefined ? [] : [[name, sources.has(name) ? value : null]];
  });
  const [asked] = useDebouncedValue(JSON.stringify(Object.fromEntries(values)), BREATH_MS);
  const { data } = useQuery({
    // Spelled here a moment ago.
    ...startsQuery(key, JSON.parse(asked) as Readonly<Record<string, WireValue>>, rowsOf),
    enabled: starting.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return data;
}

/** The record of a form as it stands on the screen, and which of its fields are taken over. */
export function useTakenOver(view: RecordView, record: WireRecord, changes: Changes) {
  const elements = useMemo(() => (view.id === null ? elementsOf(view.form) : noElements), [view]);
  const data = useStarts(view.model, elements, (name) => {
    const value = changes[name]?.value;
    return Array.isArray(value) ? undefined : (value as WireValue | undefined);
  });
  return useMemo(
    () => (data ? { record: { ...record, ...data.values }, taken: new Set(data.taken) } : { record, taken: noneTaken }),
    [record, data],
  );
}

/** What a new row shows; one that is stored is as it is. `columns`: those of its grid. */
export function useTakenOverRow(
  key: string,
  association: string,
  columns: readonly FormElement[],
  row: WireChild,
): WireChild {
  const isNew = row.id == null;
  const around = columns.flatMap((column) =>
    isNew && column.starts_from?.reference === null
      ? [{ name: fieldName(column), from: column.starts_from.field, isReference: isReference(column) }]
      : [],
  );
  const texts = useKnownTexts(around.flatMap(({ from, isReference }) => (isReference ? [from, `__${from}`] : [from])));
  const above: Record<string, WireValue> = {};
  for (const { name, from, isReference } of around) {
    if (texts[from] == null) continue;
    above[name] = texts[from];
    if (isReference) above[`__${name}`] = texts[`__${from}`] ?? null;
  }
  // What comes from the record around it decides what else it starts with, and what can be chosen.
  const given = (name: string): WireValue | undefined => row[name] ?? (row[name] === null ? null : above[name]);
  const data = useStarts(key, isNew ? columns : noElements, given, association);
  if (!isNew) return row;
  const starts = { ...data?.values, ...above };
  // What was typed goes before it, and so does what that is called. What is empty is told to be where that is known: a field around the row
  // may be hidden, and what the row takes over may still be on its way.
  const isKnown = ({ starts_from: start }: FormElement): boolean =>
    !start || (start.reference === null ? texts[start.field] !== undefined : data !== undefined);
  const empty = columns.filter(isKnown).map((column): [string, WireValue] => [fieldName(column), null]);
  const typed = Object.entries(row).filter(([, value]) => value !== undefined);
  const names = new Set(typed.map(([name]) => name));
  const others = Object.entries(starts).filter(([name]) => !names.has(name.replace(/^__/u, "")));
  return Object.fromEntries([...empty, ...others, ...typed]);
}

const isReference = ({ type }: FormElement): boolean => type !== undefined && fieldTypes[type].isReference === true;
