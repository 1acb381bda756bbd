// Columns are dragged by their heads. Fetched after the table is drawn: nobody drags in the first moment.
import { type RefObject, useEffect, useRef, useState } from "react";
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
    if (names === "") return;
    let stop: (() => void) | undefined;
    let gone = false;
    void import("./column-drag.ts").then(({ dragColumns }) => {
      if (gone || row.current === null) return;
      stop = dragColumns(row.current, {
        onMark: setMark,
        onDrop: (moved, { key, edge }) => {
          const { columns: now, actions: act } = latest.current;
          const column = now.find((each) => each.key === moved);
          const at = now.findIndex((each) => each.key === key);
          const before = now[edge === "before" ? at : at + 1];
          if (column && at >= 0 && before !== column) act?.move(column, before);
        },
      });
    });
    return () => {
      gone = true;
      stop?.();
    };
  }, [names, row]);

  return mark;
}
