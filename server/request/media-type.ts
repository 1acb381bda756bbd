// Takes a Content-Type or Content-Disposition value; gives its first word and its parameters, lower-cased names.
// Never throws: what cannot be read has no parameters.

export interface ParameterizedValue {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const PARAMETER = /;[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*(?:"((?:\\"|[^"])*)"|([^";\s]*))[ \t]*/y;

export function parseParameterized(header: string): ParameterizedValue {
  const end = header.indexOf(";");
  const value = (end === -1 ? header : header.slice(0, end)).trim().toLowerCase();
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = end === -1 ? header.length : end;
  for (;;) {
    const found = PARAMETER.exec(header);
    if (found === null) return { value, parameters };
    const [, name = "", quoted, plain = ""] = found;
    // Browsers send backslashes of file names as they are; only an escaped quote is an escape.
    if (!parameters.has(name.toLowerCase())) {
      parameters.set(name.toLowerCase(), quoted === undefined ? plain : quoted.replaceAll('\\"', '"'));
    }
  }
}
