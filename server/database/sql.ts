// SQL written as SQL: a template gives a fragment, fragments nest, and compiling numbers the values.
// Values are always parameters; identifiers are quoted by `ident` alone; there is no other way in.

export interface Sql {
  readonly strings: readonly string[];
  readonly values: readonly (Sql | SqlValue)[];
}

export type SqlValue = string | number | bigint | boolean | null | readonly (string | number | bigint | null)[];

export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export function sql(strings: TemplateStringsArray, ...values: (Sql | SqlValue)[]): Sql {
  return { strings, values };
}

/** A constant of our own source, never anything of a request. */
const text = (constant: string): Sql => ({ strings: [constant], values: [] });

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const ident = (...path: string[]): Sql => text(path.map(quote).join("."));

/** An SQL type as metadata spells it (`bigint`, `numeric(18,4)`, `text[]`). */
export function typeName(name: string): Sql {
  if (!/^[a-z][a-z ]*(\(\d+(,\d+)?\)( [a-z ]+)?)?(\[\])?$/.test(name)) throw new Error(`not an SQL type: ${name}`);
  return text(name);
}

/** An expression that a field type made from quoted columns. */
export const expression = (made: string): Sql => text(made);

export const empty: Sql = text("");

export function join(parts: readonly Sql[], separator = ", "): Sql {
  if (parts.length === 0) return empty;
  return { strings: ["", ...Array<string>(parts.length - 1).fill(separator), ""], values: parts };
}

export const and = (parts: readonly Sql[]): Sql =>
  parts.length === 0 ? text("true") : parts.length === 1 ? (parts[0] ?? empty) : join(parts, " and ");

const isSql = (value: Sql | SqlValue): value is Sql =>
  typeof value === "object" && value !== null && "strings" in value;

export function compile(fragment: Sql): Statement {
  const values: SqlValue[] = [];
  const write = (part: Sql): string => {
    let out = part.strings[0] ?? "";
    part.values.forEach((value, index) => {
      if (isSql(value)) out += write(value);
      else out += `$${values.push(value)}`;
      out += part.strings[index + 1] ?? "";
    });
    return out;
  };
  return { text: write(fragment), values };
}
