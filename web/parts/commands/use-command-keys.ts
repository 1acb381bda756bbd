// Listens to the keyboard for the whole app and runs the command whose keys were pressed. Nothing runs while one types,
// or behind an open dialog; combinations with Ctrl or ⌘ run while one types as well, but for the one that takes back what
// was typed. A key that is held down runs its command once, and is no text for what it opened.
import { useLayoutEffect } from "react";
import { allCommands } from "./commands.ts";
import { createKeySequence } from "./key-sequence.ts";
import { catchTyping } from "./type-ahead.ts";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest("input:not([type=checkbox], [type=radio]), textarea, select") !== null);

export function useCommandKeys(): void {
  useLayoutEffect(() => {
    const hear = createKeySequence();
    let heldDown: string | undefined;
    const release = (): void => {
      heldDown = undefined;
    };
    const listen = (event: KeyboardEvent): void => {
      const mod = event.ctrlKey || event.metaKey;
      if (event.defaultPrevented || event.isComposing || ["Shift", "Control", "Meta", "Alt"].includes(event.key))
        return;
      if (event.repeat && event.code === heldDown) {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      // Shift makes another sign of a digit or a mark, but the same letter or named key: that is another meaning.
      const isShifted = event.shiftKey && (/^[a-z ]$/i.test(event.key) || event.key.length > 1);
      if (!mod && (isTyping(event.target) || isShifted)) return;
      if (mod && event.key.toLowerCase() === "z" && (event.shiftKey || isTyping(event.target))) return;
      const possible = allCommands().filter(({ run, when }) => run !== undefined && (when?.() ?? true));
      const known = possible.flatMap(({ keys, also }) => [keys, also].flatMap((one) => one ?? []));
      const heard = hear({ key: event.key, mod, alt: event.altKey, at: event.timeStamp }, known);
      if (heard.kind === "nothing") return;
      // The browser's own meaning of the keys never comes through, also where ours does not apply.
      event.preventDefault();
      if (document.querySelector("[role=dialog], [role=menu]") !== null) return;
      event.stopPropagation();
      if (heard.kind !== "hit") return;
      const command = possible.findLast(({ keys, also }) => keys === heard.keys || also === heard.keys);
      if (!command?.repeats) heldDown = event.code;
      command?.run?.();
      // Unless it is there already.
      if (command?.opensInput && !isTyping(document.activeElement)) catchTyping(command.label);
    };
    window.addEventListener("keydown", listen, { capture: true });
    window.addEventListener("keyup", release, { capture: true });
    window.addEventListener("blur", release);
    return () => {
      window.removeEventListener("keydown", listen, { capture: true });
      window.removeEventListener("keyup", release, { capture: true });
      window.removeEventListener("blur", release);
    };
  }, []);
}
