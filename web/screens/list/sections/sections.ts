// The sections of a list: what they are asked for by, and what each is, from the groups that the service tells. Pure.
import type { RecordTypeSchema, SchemaField } from "../../../../client/design/record-types.ts";
import type { Condition, ListDraft } from "../../../../client/lists/list-draft.ts";
import type { ListPage, ListRow } from "../../../../client/lists/lists.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { sliceCondition } from "../../../views/drawing/slice-condition.ts";
import type { Column } from "../columns/columns.ts";
import { type GroupBy, groupText, isGroupable, readGrouping } from "../group/grouping.ts";
import type { Part } from "./lines.ts";

export interface Section extends Part {
  /** Which rows stand in it. */
  readonly condition: Condition;
  /** As the service told it. */
  readonly row: ListRow;
}

/** What the rows of a view stand in sections by; nothing where it has none, or shows no rows. */
export function sectionBy({ sections, group, ui_helper: kind = "table" }: ListDraft): GroupBy | undefined {
  if (kind !== "table" || (group ?? []).length > 0 || (sections ?? []).length === 0) return undefined;
  return readGrouping({ group: sections ?? [] }).by[0];
}

export const withSections = (query: ListDraft, by: GroupBy | undefined): ListDraft => {
  const { sections: _, ...rest } = query;
  return by === undefined ? rest : { ...rest, sections: [groupText(by)] };
};

/** Whether the type has the field, and its values make such groups. One that has another name now is not found. */
export function fitsSections({ column, period }: GroupBy, { fields }: Pick<RecordTypeSchema, "fields">): boolean {
  const field = fields.find(({ column_name: name }) => name === column);
  if (field === undefined || !isGroupable(field)) return false;
  return period === undefined || fieldTypes[field.type].days !== undefined;
}

/** So many are drawn; more say little. */
export const MOST_SECTIONS = 500;
const MOST_FIGURES = 8;
const COUNT = "rows_in_section";

/** Those of the columns that can be added up, each with what it comes to in a section. */
export const figuredColumns = (columns: readonly Column[]): readonly Column[] =>
  columns.filter(({ own, canTotal }) => own !== undefined && canTotal).slice(0, MOST_FIGURES);

/** One statement tells all sections: how many rows each has, and what its numbers come to. In the order of what they are. */
export function sectionsAsked(
  by: GroupBy,
  field: Pick<SchemaField, "sort_by"> | undefined,
  idColumn: string,
  figured: readonly Column[],
): ListDraft {
  const key = groupText(by);
  const figures = figured.map(
    ({ name, field: { type } }, index) => `${fieldTypes[type].figures?.[0] ?? "sum"}(${name}) as figure_${index}`,
  );
  return {
    group: [key],
    fields: [key, `count(${idColumn}) as ${COUNT}`, ...figures],
    // All rows of a section lead to the same record: the least of its order is its order.
    ...(field?.sort_by === undefined ? {} : { order: [`min(${by.column}.${field.sort_by}) ASC`] }),
    limit: MOST_SECTIONS,
  };
}

const textAt = (row: ListRow, name: string): string | null => {
  const value = row[name];
  return typeof value === "string" && value !== "" ? value : null;
};

export function sectionsOf(page: ListPage, folded: ReadonlySet<string>, timeZone: string): readonly Section[] {
  const [by] = page.header;
  if (by === undefined) return [];
  return page.rows.map((row) => {
    const value = textAt(row, by.name) ?? textAt(row, by.column_name);
    const key = value ?? "";
    return {
      key,
      count: Number(textAt(row, COUNT) ?? 0),
      isFolded: folded.has(key),
      condition: sliceCondition(by, value, timeZone),
      row,
    };
  });
}
