// Texts for spreadsheets: what a spreadsheet would take for a formula is marked as text, and CSV is written by RFC 4180.

/** With spaces between its digits, as telephone numbers have. */
const number = /^[+-]?\d[\d ]*(?:\.\d+)?$/u;

/** Programs run what begins with one of these; plain numbers are only numbers. */
export const harmless = (text: string): string =>
  /^[=+\-@\t\r\n]/u.test(text) && !number.test(text) ? `'${text}` : text;

export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: string | null): string {
  if (cell === null || cell === "") return "";
  const text = harmless(cell);
  return /[",\r\n]|^\s|\s$/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
