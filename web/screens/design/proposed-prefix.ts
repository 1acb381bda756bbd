// Takes what a record type is called; proposes what its running numbers begin with: the initials of its first two words. A word cut short
// may be another word.

/** Initials that offend somewhere: then the first one alone. */
const offending: ReadonlySet<string> = new Set([
  "BJ",
  "BS",
  "FU",
  "HH",
  "HJ",
  "KZ",
  "NS",
  "SA",
  "SM",
  "SS",
  "VD",
  "WC",
]);

export function proposedPrefix(label: string): string {
  const words = label.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? [];
  const [first = "", second = ""] = words.map((word) => (Array.from(word)[0] ?? "").toUpperCase());
  if (first === "") return "";
  return `${offending.has(first + second) ? first : first + second}-`;
}
