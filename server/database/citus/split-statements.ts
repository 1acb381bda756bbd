// Takes a text of SQL; gives its statements, one by one, with the comments before them. Knows what our migrations use: strings, names in
// quotes, comments to the end of the line, and bodies between $$.
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let begin = 0;
  let at = 0;
  const until = (end: string): void => {
    const found = text.indexOf(end, at + end.length);
    at = found === -1 ? text.length : found + end.length;
  };
  const take = (end: number): void => {
    const statement = text.slice(begin, end).trim();
    if (withoutComments(statement) !== "") statements.push(statement);
    begin = end + 1;
  };
  while (at < text.length) {
    const rest = text.slice(at, at + 2);
    if (rest === "--") until("\n");
    else if (rest === "$$") until("$$");
    else if (rest.startsWith("'")) until("'");
    else if (rest.startsWith('"')) until('"');
    else {
      if (rest.startsWith(";")) take(at);
      at += 1;
    }
  }
  take(text.length);
  return statements;
}

const withoutComments = (statement: string): string =>
  statement
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("--"))
    .join("")
    .trim();
