// Whether Caps Lock is on, as far as the last key tells.
import { type KeyboardEvent, useState } from "react";

export function useCapsLock() {
  const [on, setOn] = useState(false);
  const notice = (event: KeyboardEvent): void => {
    // Autofill sends key events without modifiers.
    if (typeof event.getModifierState === "function") setOn(event.getModifierState("CapsLock"));
  };
  return { on, notice };
}
