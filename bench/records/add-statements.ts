// Takes PostgreSQL's log of one add; gives the same transaction as a pgbench script: the statements that the service sent,
// with the values that it sent, and with the new record's id and number taken from the run itself. The number, which the
// service takes on another connection, comes first.

interface Logged {
  readonly process: string;
  text: string;
  values: string | undefined;
}

const entry = /^\d{4}-\d\d-\d\d \S+ \S+ \[(\d+)\] (LOG|DETAIL):\s+(.*)$/;

function readLog(log: string): Logged[] {
  const found: Logged[] = [];
  let open: ((line: string) => void) | undefined;
  for (const line of log.split("\n")) {
    const [, process = "", kind, text = ""] = entry.exec(line) ?? [];
    const sent = /^(?:statement|execute [^:]+): (.*)$/.exec(text)?.[1];
    if (kind === "LOG" && sent !== undefined) {
      const logged: Logged = { process, text: sent, values: undefined };
      found.push(logged);
      open = (more) => {
        logged.text = `${logged.text} ${more.trim()}`.trim();
      };
    } else if (kind === "DETAIL" && found.length > 0) {
      const last = found.findLast((one) => one.process === process);
      if (last) last.values = text;
      open = (more) => {
        if (last) last.values += `\n${more}`;
      };
    } else if (kind !== undefined) open = undefined;
    else open?.(line);
  }
  return found;
}

function withValues({ text, values }: Logged): string {
  const literals = new Map<string, string>();
  for (const [, name = "", literal = ""] of (values ?? "").matchAll(/\$(\d+) = (NULL|'(?:[^']|'')*')/g)) {
    literals.set(name, literal);
  }
  return text.replace(/\$(\d+)/g, (whole, name: string) => literals.get(name) ?? whole);
}

/** `id` and `number` must be such as occur nowhere else. */
export function pgbenchScript(log: string, table: string, id: string, number: string): string {
  const logged = readLog(log);
  const insert = logged.find(({ text }) => text.includes(`insert into "${table}"`));
  const ours = logged.filter(({ process }) => process === insert?.process);
  const at = insert === undefined ? -1 : ours.indexOf(insert);
  const begin = ours.slice(0, at).findLastIndex(({ text }) => text === "begin");
  const end = ours.findIndex(({ text }, index) => index > at && text === "commit");
  if (insert === undefined || begin < 0 || end < 0) throw new Error("the add is not in the log");
  const numbered = logged.filter(({ text }) => text.includes("core__auto_numbers"));
  return [...numbered, ...ours.slice(begin, end + 1)]
    .map((one) => {
      const text = withValues(one).replaceAll(number, "N-:number_last_value").replaceAll(id, ":record_id");
      if (one === insert) return `${text}\n\\gset record_`;
      return numbered.includes(one) ? `${text}\n\\gset number_` : `${text};`;
    })
    .join("\n");
}
