// What is being written below a record: a new comment, an answer, a change of a comment. It outlives a reload, an ended session
// and another place in the timeline, in this tab, for who wrote it; where its place moves under one's hands, the caret goes along.
import { type RefObject, useLayoutEffect, useState } from "react";
import type { RecordPlace } from "../../../../client/records/record-place.ts";
import { ownKey } from "../../../session/own-key.ts";

/** `what`: which answer or which comment; nothing for a new one. */
export const textKey = ({ recordTypeKey, id }: RecordPlace, ...what: readonly string[]): string =>
  ownKey("comment", recordTypeKey, id, ...what);

export const isBegun = (key: string): boolean => sessionStorage.getItem(key) !== null;

export const forgetText = (key: string): void => sessionStorage.removeItem(key);

export function useKeptText(key: string, initial: string) {
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? initial);
  const keep = (next: string): void => {
    setText(next);
    if (next.trim() === "" || next === initial) forgetText(key);
    else sessionStorage.setItem(key, next);
  };
  return [text, keep] as const;
}

/** What was being written in when it left the page: it may be there again at once, elsewhere. */
let interrupted: { readonly key: string; readonly start: number; readonly end: number } | undefined;

export function useKeptCaret(key: string, area: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const input = area.current;
    if (input && interrupted?.key === key) {
      input.focus({ preventScroll: true });
      input.setSelectionRange(interrupted.start, interrupted.end);
    }
    return () => {
      if (input === null || document.activeElement !== input) return;
      interrupted = { key, start: input.selectionStart, end: input.selectionEnd };
      setTimeout(() => {
        interrupted = undefined;
      });
    };
  }, [key, area]);
}
