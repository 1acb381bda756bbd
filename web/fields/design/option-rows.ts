// The options of a choice as its designer edits them: a value that records keep, made from the label once and for all, a
// label, a color.

export interface OptionRow {
  readonly value: string;
  readonly label: string;
  readonly color?: string;
}

/** Names of the palette, in the order in which new options take them. */
export const optionColors = [
  "gray",
  "blue",
  "teal",
  "green",
  "yellow",
  "orange",
  "red",
  "pink",
  "grape",
  "violet",
  "indigo",
  "cyan",
  "lime",
] as const;

export const readOptions = (value: unknown): readonly OptionRow[] =>
  // Written by this file alone, or checked by the service.
  Array.isArray(value) ? (value as OptionRow[]) : [];

/** Lower-case words with _ between them: what the service takes for a value or a name. */
export function slug(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "_")
    .replace(/^_|_$/gu, "");
}

export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let number = 2; ; number += 1) if (!taken.includes(`${wanted}_${number}`)) return `${wanted}_${number}`;
}

/** One new option per line; labels that are there already are left out. */
export function withOptions(options: readonly OptionRow[], text: string): readonly OptionRow[] {
  const all = [...options];
  for (const line of text.split("\n")) {
    const label = line.trim().replace(/\s+/gu, " ");
    if (label === "" || all.some((one) => one.label.toLowerCase() === label.toLowerCase())) continue;
    const values = all.map(({ value }) => value);
    // Letters of other alphabets make a value, too: it need not be a name.
    const value = freeName(slug(label) || label.replaceAll(";", ","), values);
    all.push({ value, label, color: optionColors[all.length % optionColors.length] ?? "gray" });
  }
  return all;
}
