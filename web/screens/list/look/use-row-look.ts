// How each row of a list looks, worked out once per row: its colors, and whether its due days have passed.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ColorRule } from "../../../../client/lists/list-draft.ts";
import type { ListRow } from "../../../../client/lists/lists.ts";
import { clockAt } from "../../../../contract/zones.ts";
import { useTimeZone } from "../../../fields/formats.ts";
import { stagesQuery } from "../../../queries.ts";
import { useSession } from "../../../session/use-session.ts";
import { type Column, showsOwn } from "../columns/columns.ts";
import { isOverdue, type Paint, paintOf } from "./row-look.ts";

export interface RowLook {
  readonly paint: Paint | undefined;
  /** Names of the columns whose day has passed. */
  readonly overdue: readonly string[];
}

const plain: RowLook = { paint: undefined, overdue: [] };

export function useRowLook(
  recordTypeKey: string,
  columns: readonly Column[],
  rules: readonly ColorRule[] | undefined,
): (row: ListRow | undefined) => RowLook {
  const timeZone = useTimeZone();
  const userId = useSession().identity?.userId;
  const hasDue = columns.some(({ own }) => own?.settings?.due === 1);
  const { data: stages } = useQuery({ ...stagesQuery(recordTypeKey), enabled: hasDue });
  const today = clockAt(new Date(), timeZone).slice(0, 10);
  return useMemo(() => {
    const known = new WeakMap<ListRow, RowLook>();
    const ends = new Set(
      stages?.stages.filter(({ kind }) => kind === "end").flatMap(({ id, value }) => [id, value ?? id]),
    );
    const telling = columns.filter((column) =>
      ["current_stage", ...(stages?.stage_field ? [stages.stage_field] : [])].some((field) => showsOwn(column, field)),
    );
    const isWatched = stages !== undefined && (stages.stages.length === 0 || telling.length > 0);
    const lookOf = (row: ListRow): RowLook => {
      const paint = rules && paintOf(rules, columns, row, { today, userId });
      // Where it cannot be told whether a record is closed, nothing is called overdue.
      const isClosed = !isWatched || telling.some((column) => ends.has(column.shown(row)?.value ?? ""));
      const overdue = hasDue
        ? columns
            .filter((column) => isOverdue(column, column.shown(row)?.value, isClosed, today))
            .map(({ name }) => name)
        : [];
      return paint === undefined && overdue.length === 0 ? plain : { paint, overdue };
    };
    return (row) => {
      if (row === undefined) return plain;
      const found = known.get(row) ?? lookOf(row);
      known.set(row, found);
      return found;
    };
  }, [columns, rules, stages, today, userId, hasDue]);
}
