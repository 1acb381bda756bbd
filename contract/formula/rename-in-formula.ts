// Takes a formula and new names of fields; gives the same formula with those names. What it says stays letter by letter otherwise.

const isOfWord = (letter: string | undefined): boolean => letter !== undefined && /^\w$/.test(letter);

/** Where a text in quotes ends; the end of the formula where it does not. */
function endOfText(formula: string, start: number): number {
  const quote = formula[start];
  for (let at = start + 1; at < formula.length; at += 1) {
    if (formula[at] === "\\") at += 1;
    else if (formula[at] === quote) return at + 1;
  }
  return formula.length;
}

/** A word in front of a parenthesis is a function. */
function isCall(formula: string, end: number): boolean {
  let at = end;
  while (formula[at] === " " || formula[at] === "\n" || formula[at] === "\t") at += 1;
  return formula[at] === "(";
}

export function renameInFormula(formula: string, renames: ReadonlyMap<string, string>): string {
  let written = "";
  let at = 0;
  while (at < formula.length) {
    const letter = formula[at];
    let end = at + 1;
    if (letter === '"' || letter === "'") end = endOfText(formula, at);
    else if (isOfWord(letter)) {
      while (isOfWord(formula[end])) end += 1;
      // A field of the record that is being edited: `record.site_id`.
      if (formula.slice(at, end) === "record" && formula[end] === ".") {
        end += 1;
        while (isOfWord(formula[end])) end += 1;
      }
    }
    const part = formula.slice(at, end);
    written += isCall(formula, end) ? part : (renames.get(part) ?? part);
    at = end;
  }
  return written;
}
