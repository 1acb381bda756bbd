// The text of a formula while it is written. Pure.

/** A name in the place of what is marked, told from the words around it; and where the caret stands after it. */
export function withName(
  formula: string,
  [start, end]: readonly [number, number],
  name: string,
): { readonly text: string; readonly caret: number } {
  const [before, after] = [formula.slice(0, start), formula.slice(end)];
  const head = `${before}${/[\s(]$|^$/u.test(before) ? "" : " "}${name}`;
  return { text: `${head}${/^[\s),]|^$/u.test(after) ? "" : " "}${after}`, caret: head.length };
}
