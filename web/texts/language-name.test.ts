import { expect, test } from "vitest";
import { languageName, languageTitle } from "./language-name.ts";
import { languages } from "./languages.ts";

test("languages are called as the reader calls them", () => {
  expect(languageName("de", "en")).toBe("German");
  expect(languageName("de", "de")).toBe("Deutsch");
  expect(languageName("de", "fr")).toBe("allemand");
  expect(languageTitle("de", "fr")).toBe("Allemand");
  expect(languageName("zh", "en")).toBe("Simplified Chinese");
  expect(languageName("zh", "zh")).toBe("简体中文");
  expect(languageName("es", "ar")).toBe("الإسبانية");
});

test("every language has a name of its own in every other", () => {
  for (const reader of languages) {
    const names = languages.map(({ code }) => languageName(code, reader.code));
    expect(new Set(names).size).toBe(languages.length);
    expect(names).not.toContain("");
  }
});
