// The records of the days on the screen, each on its day.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { SchemaField } from "../../../client/design/record-types.ts";
import type { ListRow } from "../../../client/lists/lists.ts";
import { useTimeZone } from "../../fields/formats.ts";
import { fieldTypes } from "../../fields/index.ts";
import { chartQuery } from "../../queries.ts";
import { columnsOf } from "../../screens/list/columns/columns.ts";
import { useRowLook } from "../../screens/list/look/use-row-look.ts";
import { furtherFields } from "../card-facts.ts";
import type { ChartProps } from "../chart-props.ts";
import { boundsOf, inYearOf, placeOf } from "./days.ts";

const MOST = 1000;

export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly day: string;
  /** Undefined for entries of a whole day. */
  readonly date: Date | undefined;
  readonly value: string | null;
  readonly revision: string | undefined;
  readonly color: string | undefined;
  /** What the color stands for. */
  readonly kind: string | undefined;
  readonly mayMove: boolean;
  readonly owner: string | undefined;
}

export function useEntries(
  { recordTypeKey, schema, page, choice, colors }: ChartProps,
  field: SchemaField | undefined,
  days: readonly string[],
) {
  const timeZone = useTimeZone();
  const column = field?.column_name ?? "";
  const hasTime = field !== undefined && fieldTypes[field.type].days === "instant";
  const isYearly = page.chart.repeats === "year";
  const alias = page.idColumn.split(".")[0] ?? "";
  const colored = schema.fields.find(({ column_name }) => column_name === page.chart.color);
  const colorColumn = colored?.column_name;
  const owners = schema.fields.find(({ name, permission }) => name === "owned_by" && permission !== 1)?.column_name;
  const fields = useMemo(() => {
    const shown = [
      column,
      ...(colorColumn === undefined ? [] : [colorColumn]),
      ...(owners === undefined ? [] : [owners]),
    ];
    return [...new Set([...shown, ...furtherFields(schema, shown, { colors }), `${alias}.revision`])];
  }, [column, alias, colorColumn, owners, schema, colors]);
  const asked = useMemo(
    () =>
      isYearly
        ? { q: { fields, limit: -1 } }
        : {
            limit: MOST,
            q: {
              fields,
              where: {
                [column]: { op: "between", value: boundsOf(days[0] ?? "", days.at(-1) ?? "", hasTime, timeZone) },
              },
              order: [`${column} ASC`],
            },
          },
    [isYearly, column, fields, days, hasTime, timeZone],
  );
  const query = useQuery({
    ...chartQuery(recordTypeKey, { ...choice, view: page.viewId }, asked),
    enabled: field !== undefined,
    placeholderData: (before) => before,
  });
  const columns = useMemo(() => (query.data ? columnsOf(query.data, schema) : []), [query.data, schema]);
  const lookOf = useRowLook(recordTypeKey, columns, colors);
  const entries = useMemo(() => {
    const ownerOf = (row: ListRow) => columns.find(({ name }) => name === owners)?.shown(row)?.text ?? undefined;
    const entryOf = (row: ListRow): readonly Entry[] => {
      const value = typeof row[column] === "string" ? row[column] : null;
      const place = placeOf(value, hasTime, timeZone);
      const day = place && (isYearly ? inYearOf(place.day, days) : place.day);
      if (day === undefined) return [];
      const option = colored?.options?.find((one) => one.value === row[colored.column_name]);
      const revision = row[`${alias}.revision`];
      return [
        {
          id: String(row[page.idColumn]),
          name: String(row.record_display_name ?? row[page.idColumn]),
          day,
          date: place?.date,
          value,
          revision: typeof revision === "string" ? revision : undefined,
          // What the view's rules say comes before what the field's options do.
          color: lookOf(row).paint?.row ?? option?.color ?? undefined,
          kind: option?.label,
          owner: ownerOf(row),
          mayMove: row.is_edit === true && field?.permission === 2 && !isYearly,
        },
      ];
    };
    const byDay = new Map<string, Entry[]>();
    for (const entry of (query.data?.rows ?? []).flatMap(entryOf))
      byDay.set(entry.day, [...(byDay.get(entry.day) ?? []), entry]);
    return byDay;
  }, [
    query.data,
    column,
    hasTime,
    timeZone,
    isYearly,
    days,
    colored,
    alias,
    page.idColumn,
    field?.permission,
    columns,
    owners,
    lookOf,
  ]);
  return { query, entries, isCut: !isYearly && (query.data?.total ?? 0) > MOST };
}
