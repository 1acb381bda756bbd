// The values of the record that a form, or of the row that a cell, is about, as they are on the screen. Whoever reads one is drawn again
// when that one changes, not with every key that is pressed elsewhere.
import { createContext, useContext, useLayoutEffect, useState, useSyncExternalStore } from "react";

type Read = (field: string) => unknown;

export interface RecordValues {
  readonly read: Read;
  readonly subscribe: (told: () => void) => () => void;
}

/** Where no one record is edited. */
const noRecord: RecordValues = { read: () => undefined, subscribe: () => () => undefined };

export const RecordValuesContext = createContext(noRecord);

/** What the context is given: the same object for as long as the form is there. */
export function useRecordValues(read: Read): RecordValues {
  const [held] = useState(() => {
    let now = read;
    const listeners = new Set<() => void>();
    return {
      values: {
        read: (field: string) => now(field),
        subscribe: (told: () => void) => {
          listeners.add(told);
          return () => void listeners.delete(told);
        },
      },
      note: (next: Read): void => {
        now = next;
        for (const told of listeners) told();
      },
    };
  });
  useLayoutEffect(() => held.note(read));
  return held.values;
}

export function useRecordValue(field: string | null | undefined): unknown {
  const { read, subscribe } = useContext(RecordValuesContext);
  return useSyncExternalStore(subscribe, () => (field ? read(field) : undefined));
}

/** The texts of some fields; of what is no text, null. Undefined where one of them is not known, as in an edit of many. */
export function useRecordTexts(fields: readonly string[]): Readonly<Record<string, string | null>> | undefined {
  const known = useKnownTexts(fields);
  return fields.every((name) => Object.hasOwn(known, name)) ? known : undefined;
}

/** The same, of those that are known. */
export function useKnownTexts(fields: readonly string[]): Readonly<Record<string, string | null>> {
  const { read, subscribe } = useContext(RecordValuesContext);
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  const spelled = useSyncExternalStore(subscribe, () =>
    JSON.stringify(fields.flatMap((name) => (read(name) === undefined ? [] : [[name, textOf(read(name))]]))),
  );
  // Spelled here a moment ago.
  return Object.fromEntries(JSON.parse(spelled) as [string, string | null][]);
}
