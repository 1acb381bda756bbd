// Columns are dragged by their heads.
import { type RefObject, useEffect, useRef, useState } from "react";
import { dragColumns } from "./column-drag.ts";
import type { Column } from "./columns.ts";
import type { ColumnActions, DropMark } from "./head-actions.ts";

export function useColumnDrag(
  row: RefObject<HTMLDivElement | null>,
  columns: readonly Column[],
  actions: ColumnActions | undefined,
): DropMark | undefined {
  const [mark, setMark] = useState<DropMark>();
  const latest = useRef({ columns, actions });
  latest.current = { columns, actions };
  const names = actions === undefined ? "" : columns.map(({ key }) => key).join("\n");

  useEffect(() => {
    if (names === "" || row.current === null) return;
    return dragColumns(row.current, {
      onMark: setMark,
      onDrop: (moved, { key, edge }) => {
        const { columns: now, actions: act } = latest.current;
        const column = now.find((each) => each.key === moved);
        const at = now.findIndex((each) => each.key === key);
        const before = now[edge === "before" ? at : at + 1];
        if (column && at >= 0 && before !== column) act?.move(column, before);
      },
    });
  }, [names, row]);

  return mark;
}
