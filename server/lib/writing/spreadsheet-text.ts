// Texts for spreadsheets: what a spreadsheet would take for a formula is marked as text, and CSV is written by RFC 4180.

/** With spaces between its digits, as telephone numbers have. */
const number = /^[+-]?\d[\d ]*(?:\.\d+)?$/u;

/** What programs pass over before they look for a formula: spaces of all kinds, and characters that show nothing. */
const passedOver = /^[\s\p{Cc}\p{Cf}\p{Z}]+/u;
/** Programs run what begins with one of these, or with its full-width or small twin, which some read as the sign itself. */
const formula = /^[=+\-@|\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20\uff5c]/u;

/** Plain numbers are only numbers. What is marked already, or looks so, is marked once more: `unescapeFormula` takes one off. */
export function escapeFormula(text: string): string {
  const bare = text.replace(/^'+/u, "");
  const isOdd = /^[\t\r\n]/u.test(bare) || formula.test(bare.replace(passedOver, ""));
  return isOdd && !number.test(text) ? `'${text}` : text;
}

export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && escapeFormula(text.slice(1)) === text ? text.slice(1) : text;

export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => csvCell(cell ?? "")).join(",")}\r\n`;
}

/** Text that certainly stands as it is: nothing to quote, no formula; what this is not sure of, `csvCell` decides. */
export function isPlainCsv(bytes: Uint8Array, from: number, to: number): boolean {
  const first = bytes[from] ?? 0;
  if (!isLetterOrDigit(first) || (bytes[to - 1] ?? 0) > 0x7e) return false;
  for (let index = from; index < to; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x20 || byte === 0x22 || byte === 0x2c) return false;
  }
  return bytes[to - 1] !== 0x20;
}

const isLetterOrDigit = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);

export function csvCell(cell: string): string {
  if (cell === "") return "";
  const text = escapeFormula(cell);
  return /[",\r\n]|^\s|\s$/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
