// Texts ↔ PostgreSQL's literal of a text[], quoted exactly where PostgreSQL quotes. One dimension, no NULLs.

export const arrayLiteral = (texts: readonly string[]): string => `{${texts.map(element).join(",")}}`;

export const readArrayLiteral = (literal: string): readonly string[] =>
  Array.from(literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/gsu), ([, quoted, bare]) =>
    quoted === undefined ? (bare ?? "") : quoted.replace(/\\(.)/gsu, "$1"),
  );

const element = (text: string): string =>
  // The white space that array_out() looks for is ASCII's, not all that \s matches.
  text === "" || /^null$/iu.test(text) || /[",{}\\ \t\n\r\v\f]/u.test(text)
    ? `"${text.replace(/["\\]/gu, "\\$&")}"`
    : text;
