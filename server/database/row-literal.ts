// PostgreSQL's text of a row value, `(1,,"a ""quoted"" text")`: read into the texts of its columns.
// One such column costs a statement a fraction of what fifty columns cost that are cast one by one.

export function readRowLiteral(literal: string): (string | null)[] {
  const values: (string | null)[] = [];
  const end = literal.length - 1;
  let at = 1;
  while (at <= end) {
    if (literal[at] === '"') {
      let text = "";
      let start = at + 1;
      for (at = start; ; at += 1) {
        const mark = literal[at];
        if (mark === undefined) throw new Error("a row value does not end");
        // Within quotes both signs stand twice.
        if ((mark === '"' || mark === "\\") && literal[at + 1] === mark) {
          text += literal.slice(start, at + 1);
          at += 1;
          start = at + 1;
        } else if (mark === '"') break;
      }
      values.push(text + literal.slice(start, at));
      at += 2;
    } else {
      const comma = literal.indexOf(",", at);
      const stop = comma === -1 ? end : comma;
      values.push(stop === at ? null : literal.slice(at, stop));
      at = stop + 1;
    }
    // A row that ends with NULL ends with its last comma.
    if (at === end && literal[at - 1] === ",") {
      values.push(null);
      break;
    }
  }
  return values;
}
