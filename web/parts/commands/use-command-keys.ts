// Listens to the keyboard for the whole app and runs the command whose keys were pressed. Nothing runs while one types,
// or behind an open dialog; combinations with Ctrl or ⌘ run while one types as well, but for the one that takes back what
// was typed.
import { useEffect } from "react";
import { allCommands } from "./commands.ts";
import { createKeySequence } from "./key-sequence.ts";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest("input:not([type=checkbox], [type=radio]), textarea, select") !== null);

export function useCommandKeys(): void {
  useEffect(() => {
    const hear = createKeySequence();
    const listen = (event: KeyboardEvent): void => {
      const mod = event.ctrlKey || event.metaKey;
      if (event.defaultPrevented || event.isComposing || ["Shift", "Control", "Meta", "Alt"].includes(event.key))
        return;
      if (!mod && (isTyping(event.target) || (event.shiftKey && /^[a-z]$/i.test(event.key)))) return;
      if (mod && event.key.toLowerCase() === "z" && (event.shiftKey || isTyping(event.target))) return;
      const known = allCommands().flatMap(({ keys }) => keys ?? []);
      const heard = hear({ key: event.key, mod, alt: event.altKey, at: event.timeStamp }, known);
      if (heard.kind === "nothing") return;
      // The browser's own meaning of the keys never comes through, also where ours does not apply.
      event.preventDefault();
      if (document.querySelector("[role=dialog], [role=menu]") !== null) return;
      event.stopPropagation();
      if (heard.kind === "hit")
        allCommands()
          .findLast(({ keys }) => keys === heard.keys)
          ?.run();
    };
    window.addEventListener("keydown", listen, { capture: true });
    return () => window.removeEventListener("keydown", listen, { capture: true });
  }, []);
}
