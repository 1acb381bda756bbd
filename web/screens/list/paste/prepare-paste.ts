// Takes a block of carried cells and the rows and columns that it is meant for; gives what would change in which record,
// and why each invalid cell is invalid. Reads the records as they stand now; writes nothing.
import type { TFunction } from "i18next";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import type { ListRow } from "../../../../client/lists/lists.ts";
import type { CurrentRow } from "../../../../client/records/many-edits.ts";
import type { FieldRule, FoundRecord } from "../../../../client/records/records.ts";
import { readText } from "../../../fields/field-value.ts";
import { checkValue } from "../../../fields/inputs/check-value.ts";
import type { Reader, Reading } from "../../../fields/reading/reading.ts";
import type { Column } from "../columns/columns.ts";
import type { CellValue } from "../edit/patch-rows.ts";
import { whyNot } from "../edit/why-not.ts";
import { type CarriedCell, valueFor } from "../range/carried-cell.ts";
import type { Block } from "../range/cell-block.ts";

export interface PastedCell {
  readonly column: Column;
  /** As it was pasted. */
  readonly pasted: CarriedCell;
  readonly before: CellValue | undefined;
  /** Undefined where it is not valid, or is what it was. */
  readonly after: CellValue | undefined;
  /** Why it is not valid, in words. */
  readonly why: string | undefined;
}

export interface PastedRow {
  readonly id: string;
  readonly name: string;
  readonly revision: string;
  readonly cells: readonly PastedCell[];
}

export interface PasteAsked {
  readonly idColumn: string;
  readonly columns: readonly Column[];
  readonly rows: readonly ListRow[];
  readonly block: Block<CarriedCell>;
}

/** What is looked up on the way; each is asked once. */
export interface PasteSources {
  current(ids: readonly string[], columns: readonly string[]): Promise<ReadonlyMap<string, CurrentRow>>;
  named(to: string, names: readonly string[]): Promise<ReadonlyMap<string, readonly FoundRecord[]>>;
  /** By field. */
  rules(id: string): Promise<Readonly<Record<string, readonly FieldRule[]>>>;
}

const noRules: Readonly<Record<string, readonly FieldRule[]>> = {};

const textAt = (row: ListRow, name: string): string => {
  const value = row[name];
  return typeof value === "string" ? value : "";
};

export async function preparePaste(
  { idColumn, columns, rows, block }: PasteAsked,
  sources: PasteSources,
  reader: Reader,
  t: TFunction,
): Promise<readonly PastedRow[]> {
  const ids = rows.map((row) => textAt(row, idColumn)).filter((id) => id !== "");
  const own = columns.flatMap(({ own: field }) => field ?? []);
  const readings = block.map((line, index) =>
    columns.map((column, at): Reading | undefined => {
      const [cell, row] = [line[at], rows[index]];
      const field = column.own;
      if (cell === undefined || row === undefined || field === undefined || isRefused(column, row)) return undefined;
      return valueReading(field, cell) ?? readText(field, cell.text, reader);
    }),
  );
  const [current, rules, records] = await Promise.all([
    sources.current(ids, [...new Set(own.map((field) => field.column_name))]),
    ids[0] === undefined ? noRules : sources.rules(ids[0]),
    namedRecords(columns, readings, sources),
  ]);
  return rows.map((row, index): PastedRow => {
    const id = textAt(row, idColumn);
    const now = current.get(id);
    const cells = columns.map((column, at): PastedCell => {
      const pasted = block[index]?.[at] ?? { text: "" };
      const before = column.own && now?.values[column.own.column_name];
      const refuse = (why: string): PastedCell => ({ column, pasted, before, after: undefined, why });
      const refusal = refusalOf(column, row, now, t);
      if (refusal !== undefined || column.own === undefined) return refuse(refusal ?? "");
      const settled = settle(column.own, readings[index]?.[at], records, t);
      if ("why" in settled) return refuse(settled.why);
      const required = column.own.required ? t("record.required", { label: column.label }) : undefined;
      const [fault] = checkValue(rules[column.own.name] ?? [], settled.value, required);
      if (fault !== undefined) return refuse(fault);
      const isSame = (before?.value ?? null) === settled.value;
      return { column, pasted, before, after: isSame ? undefined : settled, why: undefined };
    });
    return { id, name: textAt(row, "record_display_name") || id, revision: now?.revision ?? "", cells };
  });
}

const isRefused = (column: Column, row: ListRow): boolean => whyNot(column, row, false) !== undefined;

const valueReading = (field: SchemaField, cell: CarriedCell): Reading | undefined => {
  const value = valueFor(field, cell);
  return value && { value: value.value, text: value.text ?? undefined };
};

function refusalOf(column: Column, row: ListRow, now: CurrentRow | undefined, t: TFunction): string | undefined {
  const why = whyNot(column, row, false);
  if (why !== undefined) return t(`edit.why.${why}`, { label: column.label });
  if (now === undefined) return t("paste.gone");
  return now.mayEdit ? undefined : t("edit.why.record");
}

type Names = ReadonlyMap<string, ReadonlyMap<string, readonly FoundRecord[]>>;

/** By the record type, then by name. */
async function namedRecords(
  columns: readonly Column[],
  readings: Block<Reading | undefined>,
  sources: PasteSources,
): Promise<Names> {
  const wanted = new Map<string, Set<string>>();
  for (const line of readings) {
    line.forEach((reading, at) => {
      const to = columns[at]?.own?.to;
      if (to && reading && "name" in reading) wanted.set(to, (wanted.get(to) ?? new Set()).add(reading.name));
    });
  }
  const found = await Promise.all(
    [...wanted].map(async ([to, names]) => [to, await sources.named(to, [...names])] as const),
  );
  return new Map(found);
}

function settle(
  field: SchemaField,
  reading: Reading | undefined,
  records: Names,
  t: TFunction,
): (CellValue & { readonly value: string | null }) | { readonly why: string } {
  if (reading === undefined) return { value: null };
  if ("why" in reading) {
    const options = field.options?.map(({ label }) => label).join(", ") ?? "";
    return { why: t(`paste.why.${reading.why}`, { label: field.label, options }) };
  }
  if (!("name" in reading)) return { value: reading.value, text: reading.text };
  const [only, ...more] = records.get(field.to ?? "")?.get(reading.name) ?? [];
  if (only === undefined) return { why: t("paste.why.no_record", { name: reading.name }) };
  if (more.length > 0) return { why: t("paste.why.records", { name: reading.name, count: more.length + 1 }) };
  return { value: only.id, text: only.name };
}
