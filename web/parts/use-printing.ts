// Whether the page is being put on paper: then what is folded away or behind a tab is drawn too.
import { useSyncExternalStore } from "react";

let isPrinting = false;

function subscribe(listener: () => void): () => void {
  const become = (next: boolean) => (): void => {
    isPrinting = next;
    listener();
  };
  const [begin, end] = [become(true), become(false)];
  window.addEventListener("beforeprint", begin);
  window.addEventListener("afterprint", end);
  return () => {
    window.removeEventListener("beforeprint", begin);
    window.removeEventListener("afterprint", end);
  };
}

export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);
