// Takes the parameters of an import; gives them checked: how the file is read, where each column goes, what is done with
// records that are there.
import { Failure } from "../../../contract/failures.ts";
import { type Message, say } from "../../../contract/messages.ts";
import type { Caller } from "../../access/caller.ts";
import type { ImportFile } from "../../imports/files.ts";
import { labelOf, sightOf, targetOf, whyNoTarget } from "../../imports/mapping/targets.ts";
import type { Dialect } from "../../imports/reading/unreadable.ts";
import { type ImportSpec, importModes, type Mapped } from "../../imports/spec.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { keyFields } from "../../records/upsert/key.ts";
import { parseJson } from "../../request/json/json.ts";
import { emptyTree, flagAt, isTree, shown, type Tree, type TreeValue, textAt } from "../../request/tree.ts";

export function refuse(name: string, reason: Message): never {
  throw new Failure("malformed_parameter", { with: { name, reason } });
}

function oneOf<Option extends string>(sent: Tree, name: string, options: readonly Option[]): Option | undefined {
  const text = textAt(sent, name);
  if (text === undefined) return undefined;
  return options.find((one) => one === text) ?? refuse(name, say("must_be_one_of", { options }));
}

/** An object, or the JSON text of one, as form-data sends it. */
export function objectAt(sent: Tree, name: string): Tree {
  const value = sent[name];
  if (value === undefined || value === null || value === "") return emptyTree();
  const read = typeof value === "string" ? parseJson(value, 4, 100_000, "all").value : value;
  return isTree(read) ? read : refuse(name, say("must_be_object"));
}

const separators: ReadonlyMap<string, string> = new Map([
  ["comma", ","],
  ["semicolon", ";"],
  ["tab", "\t"],
  ["pipe", "|"],
]);

/** What was found out about the file, with what was chosen in its place. */
export function sentDialect(sent: Tree, found: Dialect): Dialect {
  const separator = textAt(sent, "separator");
  const quote = sent.quote === "" || sent.quote === "none" ? "" : textAt(sent, "quote");
  const header = textAt(sent, "header_row");
  const chosen = separator === undefined ? found.separator : (separators.get(separator) ?? separator);
  if (chosen.length !== 1 || /[\r\n"]/u.test(chosen)) refuse("separator", say("must_be_one_character"));
  if (quote !== undefined && (quote.length > 1 || quote === chosen || /[\r\n]/u.test(quote)))
    refuse("quote", say("must_be_one_character"));
  if (header !== undefined && !/^\d{1,3}$/u.test(header)) refuse("header_row", say("must_be_row_number"));
  return {
    format: oneOf(sent, "format", ["csv", "xlsx", "json", "jsonl"]) ?? found.format,
    encoding: oneOf(sent, "encoding", ["utf-8", "utf-16le", "utf-16be", "windows-1252"]) ?? found.encoding,
    separator: chosen,
    quote: quote ?? found.quote,
    headerRow: header === undefined ? found.headerRow : Number(header),
    sheet: textAt(sent, "sheet")?.slice(0, 100) ?? found.sheet,
  };
}

export const sentHabits = (sent: Tree): Partial<Pick<ImportSpec, "dateOrder" | "decimalSign">> => {
  const dateOrder = oneOf(sent, "date_order", ["ymd", "dmy", "mdy"]);
  const decimalSign = oneOf(sent, "decimal_sign", [".", ","]);
  return { ...(dateOrder ? { dateOrder } : {}), ...(decimalSign ? { decimalSign } : {}) };
};

export interface ImportPlace {
  readonly snapshot: Snapshot;
  readonly type: RecordType;
  readonly caller: Caller;
}

export function sentMapping({ snapshot, type, caller }: ImportPlace, sent: Tree): readonly Mapped[] {
  const seen = new Set<string>();
  const mapping = Object.entries(sent).flatMap(([column, value]): Mapped[] => {
    if (value === null || value === "") return [];
    const path = isTree(value) ? textAt(value, "field") : value;
    if (typeof path !== "string") return refuse(`mapping[${shown(column)}]`, say("must_be_one_value"));
    const target = targetOf(snapshot, type, caller, path);
    if (!target) return refuse(`mapping[${shown(column)}]`, whyNoTarget(snapshot, type, caller, path));
    if (seen.has(target.path))
      refuse(`mapping[${shown(column)}]`, say("import_field_twice", { field: labelOf(target) }));
    seen.add(target.path);
    const missing = isTree(value) ? oneOf(value, "missing", ["report", "empty", "create"]) : undefined;
    return [{ column, target: target.path, ...(missing ? { missing } : {}) }];
  });
  if (mapping.length === 0) refuse("mapping", say("import_no_mapping"));
  return mapping;
}

/** What was kept names no field to those who do not see it, whoever wrote it: for them it is one that is not there. */
export function refuseUnseen({ snapshot, type, caller }: ImportPlace, kept: Tree): void {
  const mapped = Object.values(objectAt(kept, "mapping")).map((value) => (isTree(value) ? value.field : value));
  const named = [...mapped, ...Object.keys(objectAt(kept, "defaults")), ...namesIn(kept, "key")];
  const isUnseen = (path: string): boolean => sightOf(snapshot, type, caller, path) !== "seen";
  if (named.some((path) => typeof path === "string" && path !== "" && isUnseen(path)))
    refuse("mapping_id", say("mapping_fields_unseen"));
}

const namesIn = (sent: Tree, name: string): string[] =>
  textAt(sent, name)
    ?.split(",", 20)
    .map((one) => one.trim()) ?? [];

export type SentImport = Pick<
  ImportSpec,
  "mapping" | "mode" | "key" | "empty" | "defaults" | "grouped" | "corrections" | "dryRun"
>;

export function sentImport(place: ImportPlace, sent: Tree): SentImport {
  const { type, caller } = place;
  const mapping = sentMapping(place, objectAt(sent, "mapping"));
  const mode = oneOf(sent, "mode", importModes) ?? "add";
  const names = namesIn(sent, "key");
  const grouped = flagAt(sent, "grouped");
  if (names.length === 0 && (mode !== "add" || grouped)) refuse("key", say("import_key_required"));
  const key = names.length === 0 ? [] : keyFields(type, caller, names).map(({ name }) => name);
  const defaults = sentDefaults(place, objectAt(sent, "defaults"));
  const isMapped = (name: string): boolean =>
    mapping.some(({ target }) => target === name) || Object.hasOwn(defaults, name);
  const lacking = key.find((name) => !isMapped(name));
  if (lacking !== undefined)
    refuse("key", say("import_key_unmapped", { field: type.field.get(lacking)?.label ?? lacking }));
  return {
    mapping: [...mapping],
    mode,
    key,
    empty: oneOf(sent, "empty", ["leave", "clear"]) ?? "leave",
    defaults,
    grouped,
    corrections: sentCorrections(objectAt(sent, "corrections")),
    dryRun: flagAt(sent, "dry_run"),
  };
}

function sentDefaults({ snapshot, type, caller }: ImportPlace, sent: Tree): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    const target = targetOf(snapshot, type, caller, name);
    if (!target) return refuse(`defaults[${shown(name)}]`, whyNoTarget(snapshot, type, caller, name));
    if (target.child || target.part !== undefined)
      return refuse(`defaults[${shown(name)}]`, say("import_field_gone", { field: shown(name) }));
    if (value === null) continue;
    if (typeof value !== "string") return refuse(`defaults[${shown(name)}]`, say("must_be_one_value"));
    values[target.field.name] = value;
  }
  return values;
}

const MOST_CORRECTIONS = 10_000;
/** They are read with every chunk. */
const MOST_CORRECTED = 2 * 1024 * 1024;

function sentCorrections(sent: Tree): Record<string, Record<string, string | null>> {
  const rows = Object.entries(sent);
  if (rows.length > MOST_CORRECTIONS) refuse("corrections", say("too_many_corrections", { max: MOST_CORRECTIONS }));
  let characters = 0;
  return Object.fromEntries(
    rows.map(([row, cells]) => {
      if (!/^\d{1,9}$/u.test(row) || !isTree(cells)) return refuse("corrections", say("bad_corrections"));
      const texts = Object.entries(cells).map(([column, cell]): [string, string | null] => [column, textOf(cell)]);
      for (const [column, cell] of texts) characters += column.length + (cell?.length ?? 0);
      if (characters > MOST_CORRECTED) refuse("corrections", say("corrections_too_long", { max: MOST_CORRECTED }));
      return [row, Object.fromEntries(texts)];
    }),
  );
}

const textOf = (cell: TreeValue): string | null =>
  typeof cell === "string" ? cell : cell === null ? null : refuse("corrections", say("bad_corrections"));

export const specOfSent = (
  file: ImportFile,
  dialect: Dialect,
  habits: Pick<ImportSpec, "dateOrder" | "decimalSign">,
  sent: SentImport,
  staged: string,
): ImportSpec => ({ fileName: file.name, source: file.storageKey, staged, dialect, ...habits, ...sent });
