// Takes a formula and new names of fields; gives the same formula with those names. What it says stays letter by letter otherwise.

/** A text in quotes, a field in brackets, a word with what follows it; anything else stays. */
const parts = /"(?:[^"\\]|\\["\\])*"|'(?:[^'\\]|\\['\\])*'|\[[a-z][a-z0-9_]*\]|[A-Za-z0-9][A-Za-z0-9_]*/g;

export function renameInFormula(formula: string, renames: ReadonlyMap<string, string>): string {
  return formula.replace(parts, (part, at: number) => {
    if (part.startsWith("[")) return `[${renames.get(part.slice(1, -1)) ?? part.slice(1, -1)}]`;
    const isCall = /^\s{0,20}\(/.test(formula.slice(at + part.length, at + part.length + 21));
    return isCall ? part : (renames.get(part) ?? part);
  });
}
