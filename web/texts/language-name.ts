// What a language is called in the language of whoever reads. Pure.

/** Our Chinese is the simplified one. */
const tags: Readonly<Record<string, string>> = { zh: "zh-Hans" };

/** Within a sentence. */
export const languageName = (code: string, reader: string): string =>
  new Intl.DisplayNames([tags[reader] ?? reader], { type: "language" }).of(tags[code] ?? code) ?? code;

/** Standing alone. */
export function languageTitle(code: string, reader: string): string {
  const name = languageName(code, reader);
  const [first = ""] = name;
  return first.toLocaleUpperCase(reader) + name.slice(first.length);
}
