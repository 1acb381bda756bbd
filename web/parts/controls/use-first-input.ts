// Puts the focus into the first input of a form once it is there; not on a phone, where a keyboard would cover the rest.
import { type RefObject, useEffect } from "react";

const FIRST_INPUT = ":is(input, textarea):not([type=hidden], [type=file], :disabled, :read-only)";

export function useFirstInput(form: RefObject<HTMLElement | null>, isThere: boolean): void {
  useEffect(() => {
    if (!isThere || matchMedia("(pointer: coarse)").matches) return;
    // After a dialog itself has taken the focus.
    const timer = setTimeout(() => {
      const input = form.current?.querySelector<HTMLElement>(FIRST_INPUT);
      // A dialog may take it once more, and then gives it to what is marked.
      input?.setAttribute("data-autofocus", "");
      input?.focus();
    });
    return () => clearTimeout(timer);
  }, [form, isThere]);
}
