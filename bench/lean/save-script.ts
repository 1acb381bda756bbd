// Takes the logged statements of one save; gives the same transaction as a pgbench script: the statements that the service
// sent with the values that it sent, the record's id and number being others each time.
import type { Logged } from "./statement-log.ts";

export interface CapturedSave {
  readonly logged: readonly Logged[];
  readonly table: string;
  /** Such as occurs nowhere else. */
  readonly id: string;
  /** The running number of an added record, which the service takes on another connection; it then comes first. */
  readonly number?: string;
  /** Lines before the first statement. */
  readonly before?: string;
}

/** The transaction that wrote the table, from its begin to its commit. */
export function transactionOf(logged: readonly Logged[], table: string): readonly Logged[] {
  const writes = new RegExp(`(?:insert into|update) "${table}"`);
  const write = logged.find(({ text }) => writes.test(text));
  const ours = logged.filter(({ process }) => process === write?.process);
  const at = write ? ours.indexOf(write) : -1;
  const begin = ours.slice(0, at).findLastIndex(({ text }) => /^begin\b/i.test(text));
  const end = ours.findIndex(({ text }, index) => index > at && /^commit\b/i.test(text));
  if (at < 0 || begin < 0 || end < 0) throw new Error(`no transaction in the log wrote ${table}`);
  return ours.slice(begin, end + 1);
}

export function saveScript({ logged, table, id, number, before = "" }: CapturedSave): string {
  const numbered = number === undefined ? [] : logged.filter(({ text }) => text.includes("core__auto_numbers"));
  const transaction = transactionOf(logged, table);
  const names = new Map([
    ...(number === undefined ? [[id, "record_id"] as const] : transaction.flatMap(addedId)),
    ...(number === undefined ? [] : [[number, "number"] as const]),
  ]);
  const lines = [...numbered, ...transaction].map((one) => {
    const text = withValues(one, names);
    if (numbered.includes(one)) return `${text}\n\\gset number_\n\\set number 700000000 + :number_last_value`;
    // Added records have their ids from the statement that takes them from their sequences; an edited one was chosen before.
    if (one.text.includes("nextval(")) return `${text}\n\\gset id_`;
    return `${text};`;
  });
  return `${before}${lines.join("\n")}\n`;
}

/** The id of an added row, and the variable that stands for it: it was taken as a column that is called like its table. */
function addedId({ text, values }: Logged): readonly (readonly [id: string, variable: string])[] {
  const [, table, columns = "", given = ""] = /insert into "(\w+)" \(([^)]*)\)\s+values \(([^)]*)\)/.exec(text) ?? [];
  const at = columns.split(", ").indexOf('"id"');
  const position = /\$(\d+)/.exec(given.split(", ")[at] ?? "")?.[1];
  const id = position === undefined ? undefined : values[Number(position) - 1];
  return table === undefined || id == null ? [] : [[id, `id_${table}`]];
}

function withValues({ text, values }: Logged, names: ReadonlyMap<string, string>): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\$(\d+)/g, (_, position: string) => literal(values[Number(position) - 1] ?? null, names));
}

/** A value as SQL in which each known text has become a variable. */
function literal(value: string | null, names: ReadonlyMap<string, string>): string {
  if (value === null) return "null";
  for (const [known, name] of names) {
    if (value === known) return `:${name}`;
    // Alone or in an array, never within another number.
    const parts = value.split(new RegExp(`(?<!\\d)${known}(?!\\d)`));
    if (parts.length > 1) return `(${parts.map((part) => literal(part, names)).join(` || :${name}::text || `)})`;
  }
  return quoted(value);
}

/** pgbench takes `:name` for a variable, inside quotes too. */
const quoted = (value: string): string =>
  /:[A-Za-z_]|\\|\n/.test(value)
    ? `E'${value
        .replaceAll("\\", "\\\\")
        .replaceAll("'", "''")
        .replaceAll("\n", "\\n")
        .replace(/:(?=[A-Za-z_])/g, "\\x3A")}'`
    : `'${value.replaceAll("'", "''")}'`;
