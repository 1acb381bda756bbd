import { expect, test } from "vitest";
import { failures } from "../failures.ts";
import { about, fault, say } from "../messages.ts";
import { english } from "./en/index.ts";
import { holesOf } from "./fill.ts";
import { acceptedLanguage, languageOf, languages, texts, write } from "./write.ts";

test.each(languages)("%s has every sentence, with the same parameters", (language) => {
  const holes = (catalog: Record<string, string>) =>
    Object.fromEntries(Object.entries(catalog).map(([code, text]) => [code, holesOf(text)]));
  expect(holes(texts[language])).toEqual(holes(english));
});

test.each(languages)("%s has no loose spaces in a sentence, and leaves no brace open", (language) => {
  const wrong = Object.entries(texts[language]).filter(
    ([, text]) => text.trim() !== text || /[{}]/u.test(text.replace(/\{\w+(?:\|[^|{}]*\|[^|{}]*)?\}/gu, "")),
  );
  expect(wrong).toEqual([]);
});

test("every failure has its sentence", () => {
  expect(Object.keys(failures).filter((code) => !Object.hasOwn(english, code))).toEqual([]);
});

test("no sentence speaks in the words that the product has given up", () => {
  const given =
    /is not right|not yours|cannot be taken|organis|e-mail|any more|\bmay not\b|licen[c]e agreement|log in|logged/iu;
  const ofTheInterface = ["login_required", "login_done", "login_not_done", "logout_done", "signup_done"];
  expect(Object.entries(english).filter(([code, text]) => given.test(text) && !ofTheInterface.includes(code))).toEqual(
    [],
  );
});

test("sentences stand in sentences, lists are joined as the language does, and numbers choose words", () => {
  const one = about("Name", fault("too_long", { max: 1 }));
  expect(write(one, "en")).toBe("Name must have at most 1 character");
  expect(write(say("bad_choice", { field: "Size", options: ["S", "M"] }), "ar")).toContain("S، M");
  expect(write(say("malformed_body", { reason: say("bad_utf8") }), "en")).toBe(
    "Couldn't read the request body: it is not valid UTF-8",
  );
});

test("numbers in sentences are grouped and counted as the language does", () => {
  const moved = (count: number) => say("records_transferred", { count });
  expect(write(moved(4957), "en")).toBe("4,957 records transferred");
  expect(write(moved(4957), "de")).toBe("4.957 Datensätze übertragen");
  expect(write(moved(0), "fr")).toBe("0 fiche transférée");
});

test("sentences are told apart from names where they are listed", () => {
  const faults = [say("is_missing"), say("must_be_one_of", { options: ["a", "b"] })];
  expect(write(say("faults_listed", { faults }), "en")).toBe("is required; must be one of a, b");
  expect(write(say("faults_listed", { faults }), "ar")).toContain("؛ ");
});

test("what somebody wrote is never taken for a parameter", () => {
  expect(write(say("own_words", { text: "{field} $& {text}" }), "en")).toBe("{field} $& {text}");
});

test.each([
  ["ar-EG", "ar"],
  ["AR_eg", "ar"],
  ["en", "en"],
  ["de-AT", "de"],
  ["fr_CA", "fr"],
  ["zh-Hans-CN", "zh"],
  ["tlh", undefined],
  ["", undefined],
  [null, undefined],
])("the language of the locale %s is %s", (locale, language) => {
  expect(languageOf(locale)).toBe(language);
});

test.each([
  ["ar", "ar"],
  ["tlh, ar;q=0.5, en;q=0.9", "en"],
  ["en;q=0, ar;q=0.1", "ar"],
  ["tlh, *;q=0.1", undefined],
  ["ar;q=high", undefined],
  [undefined, undefined],
])("of Accept-Language %s, %s is spoken", (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});

test.each([
  ["de", "die Zuordnung zu ändern"],
  ["fr", "de la modifier"],
] as const)("whoever cannot use a saved mapping is told to have the mapping changed, in %s", (language, words) => {
  expect(write(say("mapping_fields_unseen"), language)).toContain(words);
});
