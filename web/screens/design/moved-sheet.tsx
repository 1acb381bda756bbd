// Settings that stand beside the list on a wide screen and within it on a narrow one. They are rendered once and moved as they are: what
// somebody has half filled in is still there when the window is resized.
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";

export interface MovedSheet {
  /** To be rendered once, wherever the slot is. */
  readonly sheet: ReactNode;
  /** Where it stands. */
  readonly slot: ReactNode;
}

export function useMovedSheet(content: ReactNode): MovedSheet {
  const [home] = useState(() => {
    const made = document.createElement("div");
    made.style.display = "contents";
    return made;
  });
  return { sheet: createPortal(content, home), slot: <Slot home={home} /> };
}

function Slot({ home }: { readonly home: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.append(home);
  }, [home]);
  return <div ref={place} style={{ display: "contents" }} />;
}
