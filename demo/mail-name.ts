// What is left of a name in a mail address or a domain: small Latin letters and digits.

/** Letters that Unicode does not take apart into a base and an accent. */
const wholeLetters: Readonly<Record<string, string>> = { ß: "ss", ł: "l", ø: "o", æ: "ae", đ: "d", ı: "i" };

export function asciiWord(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[ßłøæđı]/gu, (letter) => wholeLetters[letter] ?? "")
    .replace(/[^a-z0-9]/gu, "");
}
