// Things that are moved within a list and between lists of one kind: by dragging a handle, or by whoever calls the same
// `onDrop`. A place is a list and a gap in it, counted as the list stands before anything is taken out.
import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import {
  attachClosestEdge,
  type Edge,
  extractClosestEdge,
} from "@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge";
import { useEffect, useRef, useState } from "react";

export interface Place {
  readonly list: string;
  readonly index: number;
}

export type OnDrop = (from: Place, to: Place) => void;

interface DragPlaceOptions {
  /** Only things of one kind can be dropped among each other. */
  readonly kind: string;
  readonly place: Place;
  readonly onDrop: OnDrop;
  /** Along which a list runs. */
  readonly along?: "block" | "inline";
}

const placeOf = (data: Record<string | symbol, unknown>): Place | undefined =>
  typeof data.list === "string" && typeof data.index === "number" ? { list: data.list, index: data.index } : undefined;

export function useDragPlace({ kind, place, onDrop, along = "block" }: DragPlaceOptions) {
  const row = useRef<HTMLLIElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const [edge, setEdge] = useState<Edge | null>(null);
  const [isDragged, setDragged] = useState(false);
  const drop = useRef(onDrop);
  drop.current = onDrop;
  const { list, index } = place;
  useEffect(() => {
    const [element, dragHandle] = [row.current, handle.current];
    if (element === null || dragHandle === null) return;
    const stopDragging = draggable({
      element,
      dragHandle,
      getInitialData: () => ({ kind, list, index }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    });
    const stopDropping = dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data.kind === kind && source.element !== element,
      getData: ({ input }) =>
        attachClosestEdge(
          { kind },
          { element, input, allowedEdges: along === "block" ? ["top", "bottom"] : ["left", "right"] },
        ),
      onDrag: ({ self, location }) =>
        setEdge(location.current.dropTargets[0]?.element === element ? extractClosestEdge(self.data) : null),
      onDragLeave: () => setEdge(null),
      onDrop: ({ self, source, location }) => {
        setEdge(null);
        const from = placeOf(source.data);
        // What is inside of another target is dropped there alone.
        if (from === undefined || location.current.dropTargets[0]?.element !== element) return;
        const at = extractClosestEdge(self.data);
        const isRtl = document.documentElement.dir === "rtl";
        const isAfter = at === "bottom" || (at === "right" && !isRtl) || (at === "left" && isRtl);
        drop.current(from, { list, index: index + (isAfter ? 1 : 0) });
      },
    });
    return () => {
      stopDragging();
      stopDropping();
    };
  }, [kind, list, index, along]);
  return { row, handle, edge, isDragged };
}

/** A list as a whole takes what is dropped on none of its rows, at its end. */
export function useDropZone(kind: string, list: string, count: number, onDrop: OnDrop) {
  const zone = useRef<HTMLElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = useRef(onDrop);
  drop.current = onDrop;
  useEffect(() => {
    const element = zone.current;
    if (element === null) return;
    const isHere = (targets: readonly { readonly element: Element }[]) => targets[0]?.element === element;
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data.kind === kind,
      onDrag: ({ location }) => setOver(isHere(location.current.dropTargets)),
      onDragLeave: () => setOver(false),
      onDrop: ({ source, location }) => {
        setOver(false);
        const from = placeOf(source.data);
        if (from && isHere(location.current.dropTargets)) drop.current(from, { list, index: count });
      },
    });
  }, [kind, list, count]);
  return { zone, isOver };
}

/** The same list with one thing moved to a gap of it. */
export function movedWithin<Item>(items: readonly Item[], from: number, gap: number): readonly Item[] {
  const item = items[from];
  if (item === undefined) return items;
  const others = items.filter((_, index) => index !== from);
  return others.toSpliced(gap > from ? gap - 1 : gap, 0, item);
}
