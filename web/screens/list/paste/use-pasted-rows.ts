// Takes rows that are pasted anywhere on the page, but for its inputs and what stands beside it.
import { useEffect, useEffectEvent } from "react";
import { type Block, readBlock } from "../range/cell-block.ts";

/** A checkbox or a file takes no text. */
const ELSEWHERE = "input:not([type=file], [type=checkbox]), textarea, [contenteditable=true], aside";

/** Undefined: a word is no table. */
export function pastedRows(data: DataTransfer): Block | undefined {
  const block = readBlock(data.getData("text/plain"), !data.types.includes("text/html"));
  return block.length < 2 && (block[0]?.length ?? 0) < 2 ? undefined : block;
}

/** `isHere`: whether the page waits for rows now. */
export function usePastedRows(isHere: boolean, onRows: (block: Block) => void): void {
  const take = useEffectEvent((event: ClipboardEvent): void => {
    const { target, clipboardData: data } = event;
    const isElsewhere = target instanceof Element && target.closest(ELSEWHERE) !== null;
    if (isElsewhere || data === null || event.defaultPrevented || document.querySelector("[role=dialog]")) return;
    const block = pastedRows(data);
    if (block === undefined) return;
    event.preventDefault();
    onRows(block);
  });
  useEffect(() => {
    if (!isHere) return;
    document.addEventListener("paste", take);
    return () => document.removeEventListener("paste", take);
  }, [isHere]);
}
