// What a save refused, as far as it still stands: a field that was changed since is no longer refused. Rows of grids are
// counted on the wire by their place in what was sent; here they are known by their key.
import type { FormTree, WireChild, WireRecord } from "../../../../client/records/records.ts";
import { rowKey, rowsOf, sentRows } from "./child-rows.ts";
import { elementsOf, fieldName } from "./form-rules.ts";
import type { Change, Changes } from "./use-draft.ts";

/** By `<alias>.<field>`, and by `<alias>.<association>.<row key>.<field>`. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

const rowsIn = (change: Change | undefined, stored: readonly WireChild[]): readonly WireChild[] =>
  Array.isArray(change?.value) ? change.value : stored;

export function standingErrors(
  errors: FieldErrors,
  form: FormTree,
  record: WireRecord,
  attempted: Changes,
  changes: Changes,
): FieldErrors {
  const grids = elementsOf(form).filter(({ template }) => template === "grid");
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, words]): [string, readonly string[]][] => {
      const [alias = "", name = "", index, field] = path.split(".");
      const grid = grids.find((one) => fieldName(one) === name);
      if (grid === undefined || index === undefined) return attempted[name] === changes[name] ? [[path, words]] : [];
      const stored = rowsOf(record, name);
      const before = rowsIn(attempted[name], stored);
      const key = sentRows(grid, before, stored)[Number(index)]?.key;
      const [then, now] = [before, rowsIn(changes[name], stored)].map((rows) =>
        rows.find((row) => rowKey(row) === key),
      );
      if (key === undefined || now === undefined) return [];
      if (field !== undefined && then?.[field] !== now[field]) return [];
      return [[[alias, name, key, ...(field === undefined ? [] : [field])].join("."), words]];
    }),
  );
}

/** Whether anything under a name was refused: a field, a grid or one of its cells. */
export const isRefused = (errors: FieldErrors, name: string): boolean =>
  Object.keys(errors).some((path) => path === name || path.startsWith(`${name}.`));

export interface RefusedField {
  readonly path: string;
  readonly label: string;
  readonly words: string;
  /** Its designer says at each place what is wrong there; the words name the places as programs do. */
  readonly isMarked?: boolean;
}

/** Sentences begin with the field's name, which stands before them here. */
const withoutLabel = (words: string, label: string): string =>
  words.startsWith(`${label} `) ? words.slice(label.length + 1) : words;

/** In the order of the form; what the form does not show comes last. */
export function refusedFields(errors: FieldErrors, form: FormTree, rows: (grid: string) => readonly WireChild[]) {
  const known = new Set<string>();
  const found = elementsOf(form).flatMap((element): RefusedField[] => {
    const own = Object.entries(errors).filter(
      ([path]) => path === element.__name || path.startsWith(`${element.__name}.`),
    );
    return own.map(([path, words]) => {
      known.add(path);
      const [, , key, field] = path.split(".");
      const place = key === undefined ? -1 : rows(fieldName(element)).findIndex((row) => rowKey(row) === key);
      const column = element.children?.find((one) => fieldName(one) === field);
      const label = [element.label, ...(place < 0 ? [] : [String(place + 1)]), ...(column ? [column.label] : [])];
      const isMarked = element.document !== undefined;
      return { path, label: label.join(" · "), words: withoutLabel(words.join(" "), label.at(-1) ?? ""), isMarked };
    });
  });
  const rest = Object.entries(errors).filter(([path]) => !known.has(path));
  return [...found, ...rest.map(([path, words]) => ({ path, label: "", words: words.join(" ") }))];
}

/** A field to go to; a new object goes there again. */
export interface Jump {
  readonly path: string;
}
