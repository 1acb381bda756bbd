// Makes the heads of a table's row draggable onto one another, with the platform's own drag and drop.
import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { attachClosestEdge, extractClosestEdge } from "@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge";
import type { DropMark } from "./head-actions.ts";

interface DragParts {
  readonly onMark: (mark: DropMark | undefined) => void;
  readonly onDrop: (moved: string, mark: DropMark) => void;
}

/** Gives what undoes it. */
export function dragColumns(row: HTMLElement, { onMark, onDrop }: DragParts): () => void {
  const cells = [...row.querySelectorAll<HTMLElement>("[data-column]")];
  const isRtl = getComputedStyle(row).direction === "rtl";
  const markOf = (data: Record<string | symbol, unknown>): DropMark | undefined => {
    const edge = extractClosestEdge(data);
    if (typeof data.column !== "string" || edge === null) return undefined;
    return { key: data.column, edge: (edge === "left") !== isRtl ? "before" : "after" };
  };
  return combine(
    ...cells.flatMap((element) => {
      const column = element.dataset.column ?? "";
      return [
        draggable({
          element,
          getInitialData: () => ({ kind: "column", column }),
          // The edge of a column resizes it.
          canDrag: ({ input }) =>
            document.elementFromPoint(input.clientX, input.clientY)?.closest("[data-resizes]") === null,
        }),
        dropTargetForElements({
          element,
          canDrop: ({ source }) => source.data.kind === "column" && row.contains(source.element),
          getData: ({ input }) => attachClosestEdge({ column }, { element, input, allowedEdges: ["left", "right"] }),
          onDrag: ({ self }) => onMark(markOf(self.data)),
          onDragLeave: () => onMark(undefined),
        }),
      ];
    }),
    monitorForElements({
      canMonitor: ({ source }) => source.data.kind === "column" && row.contains(source.element),
      onDrop: ({ source, location }) => {
        onMark(undefined);
        const target = location.current.dropTargets[0];
        const mark = target && markOf(target.data);
        if (mark && typeof source.data.column === "string") onDrop(source.data.column, mark);
      },
    }),
  );
}
