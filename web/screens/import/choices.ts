// What somebody chose for an import: which column goes where, what is done with records that are there, and cells that were
// corrected. Made from what was found in the file, changed step by step, sent as the parameters of the wire. Pure.
import type {
  Dialect,
  FoundFile,
  ImportField,
  ImportMode,
  ImportRequest,
  ImportSettings,
  MappedColumn,
} from "../../../client/records/imports.ts";
import { wireDialect } from "../../../client/records/imports.ts";
import { readingParameters } from "../../../contract/import-settings.ts";

/** Of a reference that names no record. */
export type Missing = "report" | "empty" | "create";

export type Corrections = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Choices {
  /** By column; columns that are not in it are left out. */
  readonly mapping: Readonly<Record<string, { readonly field: string; readonly missing: Missing }>>;
  readonly mode: ImportMode;
  readonly key: readonly string[];
  readonly empty: "leave" | "clear";
  readonly defaults: Readonly<Record<string, string>>;
  /** Rows with the same key are one record. */
  readonly grouped: boolean;
  readonly allowsDuplicates: boolean;
  /** By row, then by column. */
  readonly corrections: Corrections;
}

/** Columns have any name: what every object has ("constructor") was not chosen. */
export const ownOf = <T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  values && Object.hasOwn(values, name) ? values[name] : undefined;

export const choicesOf = ({ columns, fields, key, mode, grouped }: FoundFile): Choices => ({
  mapping: Object.fromEntries(
    columns.flatMap(({ name, target }) =>
      target === null ? [] : [[name, { field: grouped === 1 ? numbered(target, fields) : target, missing: "report" }]],
    ),
  ),
  mode,
  key,
  empty: "leave",
  defaults: {},
  grouped: grouped === 1,
  allowsDuplicates: false,
  corrections: {},
});

/** Whether a file has every column that something was chosen for. */
export const fits = ({ mapping }: Choices, { columns }: Pick<FoundFile, "columns">): boolean =>
  Object.keys(mapping).every((column) => columns.some(({ name }) => name === column));

/** A field takes one column: another that had it is left out. Null: the column is left out. */
export function mapColumn(choices: Choices, column: string, field: string | null): Choices {
  const others = Object.entries(choices.mapping).filter(([name, one]) => name !== column && one.field !== field);
  const missing = ownOf(choices.mapping, column)?.missing ?? "report";
  const mapping = Object.fromEntries(field === null ? others : [...others, [column, { field, missing }]]);
  return withKey({ ...choices, mapping, defaults: without(choices.defaults, field) }, choices.key);
}

export const setMissing = (choices: Choices, column: string, missing: Missing): Choices => {
  const mapped = ownOf(choices.mapping, column);
  return mapped ? { ...choices, mapping: { ...choices.mapping, [column]: { ...mapped, missing } } } : choices;
};

/** Fields that a column, or a default, brings a value for. */
export const givenFields = ({ mapping, defaults }: Choices): ReadonlySet<string> =>
  new Set([...Object.values(mapping).map(({ field }) => field), ...Object.keys(defaults)]);

/** Only what the file has can tell records apart; without a key there is only adding. */
export function withKey(choices: Choices, key: readonly string[]): Choices {
  const given = givenFields(choices);
  return { ...choices, key: key.filter((name) => given.has(name)) };
}

const without = (values: Readonly<Record<string, string>>, name: string | null): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).filter(([each]) => each !== name));

export const setDefault = (choices: Choices, field: string, value: string | undefined): Choices => ({
  ...choices,
  defaults: value === undefined ? without(choices.defaults, field) : { ...choices.defaults, [field]: value },
});

/** As much of a cell as the service tells of a fault. What is typed in place of a longer one would be all of it. */
const MOST_TOLD = 200;

export const isToldWhole = (value: string | null): boolean => value === null || value.length < MOST_TOLD;

/** Undefined: as the file says. */
export function correct(corrections: Corrections, row: number, column: string, text: string | undefined): Corrections {
  const { [row]: own = {}, ...others } = corrections as Record<string, Readonly<Record<string, string>>>;
  const next = text === undefined ? without(own, column) : { ...own, [column]: text };
  return Object.keys(next).length === 0 ? others : { ...others, [row]: next };
}

export const countCorrections = (corrections: Corrections): number =>
  Object.values(corrections).reduce((sum, row) => sum + Object.keys(row).length, 0);

const writesNew = ({ mode }: Choices): boolean => mode !== "update";

/** Fields that every new record needs and that no column brings. */
export const lackingFields = ({ fields }: Pick<FoundFile, "fields">, choices: Choices): readonly ImportField[] => {
  const mapped = new Set(Object.values(choices.mapping).map(({ field }) => field.split(".")[0]));
  return writesNew(choices)
    ? fields.filter(({ path, required }) => required === 1 && !mapped.has(path.split(".")[0]))
    : [];
};

/** Fields that records can be found by: those of the record itself that the file has. */
export const keyFields = ({ fields }: Pick<FoundFile, "fields">, choices: Choices): readonly ImportField[] => {
  const given = givenFields(choices);
  return fields.filter(({ path, is_child: isChild }) => isChild === 0 && !path.includes(".") && given.has(path));
};

/** Why it cannot be checked yet. */
export const hindrance = (choices: Choices): "nothing_mapped" | "no_key" | undefined => {
  if (Object.keys(choices.mapping).length === 0) return "nothing_mapped";
  return choices.key.length === 0 && (choices.mode !== "add" || choices.grouped) ? "no_key" : undefined;
};

const child = /^([^.]+)\.(\d+)\.(.+)$/;

/** Of children there is always room for one more: the first is told by the service, others are numbered like it. */
export function fieldsToChoose({ fields }: Pick<FoundFile, "fields">, choices: Choices): readonly ImportField[] {
  const used = new Map<string, number>();
  for (const { field } of Object.values(choices.mapping)) {
    const [, name = "", position = "0"] = child.exec(field) ?? [];
    used.set(name, Math.max(used.get(name) ?? 0, Number(position)));
  }
  return fields.flatMap((field) => {
    const [, name, , rest] = child.exec(field.path) ?? [];
    if (field.is_child === 0 || name === undefined) return [field];
    if (choices.grouped) return [{ ...field, label: field.label.replace(/ 1: /, ": ") }];
    const room = Math.min((used.get(name) ?? 0) + 1, 100);
    return Array.from({ length: room }, (_, index) => ({
      ...field,
      path: `${name}.${index + 1}.${rest}`,
      label: field.label.replace(/ 1: /, ` ${index + 1}: `),
    }));
  });
}

/** `addresses.1.city` is a column for the first one, `addresses.city` one child of each row. */
const pathOf = (path: string, grouped: boolean): string => (grouped ? path.replace(child, "$1.$3") : path);

const numbered = (path: string, fields: readonly ImportField[]): string => {
  const [name, rest] = [path.slice(0, path.indexOf(".")), path.slice(path.indexOf(".") + 1)];
  return !path.includes(".") || fields.some((field) => field.path === path) ? path : `${name}.1.${rest}`;
};

export function settingsOf(choices: Choices, dialect: Partial<Dialect>): ImportSettings {
  const { mapping, mode, key, empty, defaults, grouped, allowsDuplicates } = choices;
  return {
    ...wireDialect(dialect),
    mapping: Object.fromEntries(
      Object.entries(mapping).map(([column, { field, missing }]): [string, MappedColumn] => {
        const path = pathOf(field, grouped);
        return [column, missing === "report" ? path : { field: path, missing }];
      }),
    ),
    mode,
    ...(key.length === 0 ? {} : { key: key.join(",") }),
    // Chosen where records are changed; a new one must not lose what it starts with.
    empty: mode === "update" || mode === "upsert" ? empty : "leave",
    defaults: Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== "")),
    ...(grouped ? { grouped: "1" } : {}),
    ...(allowsDuplicates ? { override_duplicates: "1" } : {}),
  };
}

/** Days and numbers are read as the preview showed them. */
export const requestOf = (
  {
    file,
    choices,
    dialect,
  }: Pick<FoundFile, "file"> & { readonly choices: Choices; readonly dialect: Partial<Dialect> },
  { dialect: { date_order, decimal_sign } }: Pick<FoundFile, "dialect">,
  isDryRun: boolean,
): ImportRequest => ({
  ...settingsOf(choices, { ...dialect, date_order, decimal_sign }),
  file: file.id,
  corrections: choices.corrections,
  ...(isDryRun ? { dry_run: "1" } : {}),
});

/** How the file is read, as a saved mapping says it. */
export const dialectIn = (settings: Partial<ImportSettings>): Partial<Dialect> =>
  Object.fromEntries(
    readingParameters.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])),
  );

/** By what a field is called now, whatever it was called when the mapping was saved. */
function presentName(path: string, fields: readonly ImportField[]): string {
  const [, name, position, rest] = child.exec(path) ?? [];
  const first = name === undefined ? path : `${name}.1.${rest}`;
  const renamed = fields.find(({ aliases = [] }) => aliases.includes(first))?.path;
  if (renamed === undefined) return path;
  return position === undefined ? renamed : renamed.replace(child, `$1.${position}.$3`);
}

/** A saved mapping on this file: columns and fields that are not there are left out. */
export function applySettings(found: FoundFile, choices: Choices, settings: Partial<ImportSettings>): Choices {
  const { mapping = {}, mode, key, empty, defaults, grouped, override_duplicates: duplicates } = settings;
  const names = new Set(found.columns.map(({ name }) => name));
  const roots = new Set(found.fields.map(({ path }) => path.split(".")[0]));
  const known = Object.entries(mapping).flatMap(([column, sent]) => {
    const { field, missing } = typeof sent === "string" ? { field: sent, missing: "report" as const } : sent;
    const own = grouped === "1" && field.includes(".") ? numbered(field, found.fields) : field;
    const path = presentName(own, found.fields);
    return names.has(column) && roots.has(path.split(".")[0]) ? [[column, { field: path, missing }] as const] : [];
  });
  const paths = new Set(found.fields.map(({ path }) => path));
  const next: Choices = {
    ...choices,
    mapping: Object.fromEntries(known),
    mode: mode ?? choices.mode,
    empty: empty ?? choices.empty,
    defaults: Object.fromEntries(
      Object.entries(defaults ?? {})
        .map(([name, value]) => [presentName(name, found.fields), value] as const)
        .filter(([name]) => paths.has(name)),
    ),
    grouped: grouped === "1",
    allowsDuplicates: duplicates === "1",
  };
  return withKey(next, key?.split(",").map((name) => presentName(name, found.fields)) ?? []);
}
