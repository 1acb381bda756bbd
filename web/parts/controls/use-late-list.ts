// The list of a field that drops down is made when the field first has the focus, not with the page: a form has dozens of them, each with
// all its options.
import { useCallback, useState } from "react";

export function useLateList() {
  const [isMade, setMade] = useState(false);
  return {
    onFocus: useCallback(() => setMade(true), []),
    comboboxProps: { keepMounted: isMade },
  };
}
