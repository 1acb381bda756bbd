// How a standard list view is written: short names of columns, and what each view is for. Gives the `query` that is
// stored, in the same language that a person's own views are written in.
import type { ViewKind } from "../../../../contract/view-kinds.ts";

export interface StandardView {
  readonly name: string;
  readonly category: StandardCategory;
  readonly helper: ViewKind;
  readonly query: Readonly<Record<string, unknown>>;
  readonly isDefault?: boolean;
  /** Its place on a new person's dashboard. */
  readonly pinned?: number;
  readonly description?: string;
}

/** In the order in which they are shown. */
export const standardCategories = ["Lists", "Boards", "Charts", "Bin"] as const;
export type StandardCategory = (typeof standardCategories)[number];

type Condition = Readonly<Record<string, unknown>>;

export interface TableOptions {
  readonly where?: Condition;
  readonly order?: readonly string[];
  /** Columns with their total over all matching rows. */
  readonly totals?: readonly string[];
  readonly limit?: number;
  readonly widths?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Column names without an alias belong to the record type itself. */
const full = (alias: string, name: string): string => (name.includes(".") ? name : `${alias}.${name}`);

/** What programs look for in every list of records that a workflow can move. */
const tracked = ["type_id", "sub_type_id", "current_stage", "current_workflow_actors", "created_by", "owned_by"];

/** The columns of a list whose records a workflow can move: what is particular to it first. */
export const withStage = (columns: readonly string[]): readonly string[] => [...new Set([...columns, ...tracked])];

/** A table whose first column leads to the record. */
export function table(
  alias: string,
  columns: readonly string[],
  { where, order = ["created DESC"], totals = [], limit, widths = {}, labels = {} }: TableOptions = {},
): Readonly<Record<string, unknown>> {
  const properties: Record<string, Record<string, string>> = {};
  const of = (name: string) => {
    properties[full(alias, name)] ??= {};
    return properties[full(alias, name)] ?? {};
  };
  const [first] = columns;
  if (first !== undefined) of(first).clickable_link = "1";
  for (const name of totals) of(name).compute_column_total = "1";
  for (const [name, width] of Object.entries(widths)) of(name).width = width;
  for (const [name, label] of Object.entries(labels)) of(name).label = label;
  return {
    fields: columns.map((name) => full(alias, name)),
    ...(where === undefined ? {} : { where: qualified(alias, where) }),
    order: order.map((name) => full(alias, name)),
    ...(limit === undefined ? {} : { limit }),
    columns: properties,
  };
}

function qualified(alias: string, where: Condition): Condition {
  return Object.fromEntries(
    Object.entries(where).map(([name, value]) => {
      if (name !== "AND" && name !== "OR" && name !== "NOT") return [full(alias, name), value];
      const parts = Array.isArray(value) ? value.map((part: Condition) => qualified(alias, part)) : value;
      return [name, Array.isArray(value) ? parts : qualified(alias, value as Condition)]; // NOT holds one condition
    }),
  );
}

export interface ChartOptions {
  readonly where?: Condition;
  readonly order?: readonly string[];
  readonly limit?: number;
  /** What its helper needs beyond the rows: a goal, a unit, the column that makes lanes or days. */
  readonly chart?: Readonly<Record<string, string>>;
}

/** Groups with aggregates: `by` is a column or the period of one, `values` are aggregates with their aliases. */
export function chart(
  alias: string,
  by: readonly string[],
  values: readonly string[],
  { where, order, limit, chart: more }: ChartOptions = {},
): Readonly<Record<string, unknown>> {
  const group = by.map((name) => name.replace(/[a-z_.]+(?=\)?$)/u, (column) => full(alias, column)));
  const aggregates = values.map((value) =>
    value.replace(/\(([a-z_]+)\)/u, (_, column: string) => `(${alias}.${column})`),
  );
  return {
    fields: [...group, ...aggregates],
    group,
    ...(where === undefined ? {} : { where: qualified(alias, where) }),
    ...(order === undefined ? {} : { order }),
    ...(limit === undefined ? {} : { limit }),
    ...(more === undefined ? {} : { chart: more }),
  };
}

/** The views that every record type with owners has. */
export function everyday(
  alias: string,
  plural: string,
  columns: readonly string[],
  options: Pick<TableOptions, "totals" | "widths"> = {},
): StandardView[] {
  const list = (
    name: string,
    where: Condition | undefined,
    order: readonly string[],
    more: Partial<StandardView> = {},
  ) =>
    ({
      name,
      category: "Lists",
      helper: "table",
      query: table(alias, columns, { ...options, order, ...(where ? { where } : {}) }),
      ...more,
    }) satisfies StandardView;
  return [
    list(`All ${plural}`, undefined, ["created DESC"], { isDefault: true }),
    list(`My ${plural}`, { owned_by: "{{CURRENT_USER}}" }, ["created DESC"]),
    list(
      `My groups' ${plural}`,
      { [`${alias}.owned_by.groups.members.user_id`]: "{{CURRENT_USER}}" },
      ["created DESC"],
      {
        description: "Records owned by members of your groups",
      },
    ),
    list("Recently changed", { modified: { op: ">=", value: "{{TODAY}}-30d" } }, ["modified DESC"], {
      description: "Changed within the last 30 days",
    }),
    {
      ...list("Recycle Bin", { deleted: "1" }, ["modified DESC"], { category: "Bin" }),
      // Nothing changes a record in the bin: its last change is its deletion.
      query: table(alias, [...columns.slice(0, 1), "modified", "modified_by", ...columns.slice(1)], {
        where: { deleted: "1" },
        order: ["modified DESC"],
        labels: { modified: "Deleted", modified_by: "Deleted by" },
      }),
      description: "Deleted records that can be restored",
    },
  ];
}
