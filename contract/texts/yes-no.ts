// How people write yes and no in spreadsheets: the signs, and the words of every language of the texts. Lower case.

export const yeses: readonly string[] = [
  "1",
  "true",
  "on",
  "yes",
  "y",
  "x",
  "✓",
  "✔",
  "ja",
  "oui",
  "sí",
  "si",
  "نعم",
  "是",
];

export const noes: readonly string[] = ["0", "false", "off", "no", "n", "-", "✗", "nein", "non", "لا", "否"];

/** Undefined: neither. */
export function readYesNo(text: string): "1" | "0" | undefined {
  const word = text.trim().toLowerCase();
  return yeses.includes(word) ? "1" : noes.includes(word) ? "0" : undefined;
}
