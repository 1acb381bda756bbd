import i18next from "i18next";
import { expect, test } from "vitest";
import { parseCondition } from "../../contract/conditions.ts";
import { parseExpression, parseTemplate } from "../../contract/expressions.ts";
import { inlineLabel } from "../../contract/labels.ts";
import { say } from "../../contract/messages.ts";
import { languages } from "../../contract/texts/languages.ts";
import { write } from "../../contract/texts/write.ts";
import { writeFormula } from "./write-formula.ts";

const files = import.meta.glob<Record<string, unknown>>(["./*/*.ts"], { eager: true });

/** Dotted names, with the plural forms of one text as one name. */
function names(texts: object, prefix = ""): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === "object") for (const [name, said] of names(value, `${prefix}${key}.`)) found.set(name, said);
    else {
      const name = prefix + key.replace(/_(zero|one|two|few|many|other)$/, "");
      found.set(name, [...(found.get(name) ?? []), String(value)]);
    }
  }
  return found;
}

/** What stands in a text, however it is written there. */
const holes = (texts: readonly string[]): string[] =>
  [...new Set(texts.flatMap((text) => [...text.matchAll(/\{\{(\w+)/gu)].map(([, name = ""]) => name)))].sort();

const ofLanguage = (code: string) => Object.entries(files).filter(([file]) => file.startsWith(`./${code}/`));

test.each(languages)("every text is in %s, with the same holes", (code) => {
  const english = ofLanguage("en");
  expect(ofLanguage(code).map(([file]) => file.replace(`/${code}/`, "/en/"))).toEqual(english.map(([file]) => file));
  for (const [file, texts] of english) {
    const own = names(files[file.replace("/en/", `/${code}/`)] ?? {});
    const wanted = names(texts);
    expect([...own.keys()].sort(), file).toEqual([...wanted.keys()].sort());
    // A number may be a word of its own ("two records").
    const without = (all: readonly string[] = []) =>
      holes(all)
        .filter((hole) => hole !== "count")
        .join();
    expect([...wanted.keys()].filter((name) => without(own.get(name)) !== without(wanted.get(name)))).toEqual([]);
  }
});

test.each(languages)("every text of a number has all forms that %s has for numbers", (code) => {
  const wanted = new Intl.PluralRules(code).resolvedOptions().pluralCategories.slice().sort();
  const lacking: string[] = [];
  const look = (texts: object, prefix: string): void => {
    const forms = new Map<string, string[]>();
    for (const [key, value] of Object.entries(texts)) {
      const [, name, form] = /^(.+)_(zero|one|two|few|many|other)$/.exec(key) ?? [];
      if (typeof value === "object") look(value, `${prefix}${key}.`);
      else if (name !== undefined && form !== undefined) forms.set(name, [...(forms.get(name) ?? []), form]);
    }
    for (const [name, has] of forms) {
      // One form alone, or some without `other`, are names that end like forms.
      if (has.length > 1 && has.includes("other") && wanted.some((form) => !has.includes(form)))
        lacking.push(prefix + name);
    }
  };
  for (const [file, texts] of ofLanguage(code)) look(texts, `${file} `);
  expect(lacking).toEqual([]);
});

test("what is wrong with a formula is the same sentence in the browser, in every language", async () => {
  const translation = (code: string) => ({ translation: { ...files[`./${code}/design.ts`] } });
  await i18next.init({ resources: Object.fromEntries(languages.map((code) => [code, translation(code)])) });
  const conditions = ["a =", "a ? 1", "A = 1", "a in (b)", "a = 1 b", "(".repeat(40), "a".repeat(3_000)].map(
    parseCondition,
  );
  const expressions = ["1 +", "nothing(1)", "now(1)", "a b"].map(parseExpression);
  const wrong = [...conditions, ...expressions, parseTemplate("{{1 +}}")].flatMap((one) => (one.ok ? [] : [one.error]));
  expect(wrong).toHaveLength(12);
  for (const language of languages)
    for (const one of wrong) expect(writeFormula(one, language)).toBe(write(one, language));
  expect(writeFormula(say("a_comparison"), "tlh")).toBe("a comparison");
});

test("Spanish says usted and quotes with “”, Chinese says 您; French and Chinese keep to their words", () => {
  const given: Readonly<Record<string, RegExp>> = {
    fr: /types? d[’']enregistrement/iu,
    es: /[«»]|(?<!\p{L})(?:tus?|tú|tienes|puedes|quieres)(?!\p{L})/iu,
    zh: /你|吊销|所有者/u,
  };
  for (const [code, words] of Object.entries(given)) {
    const said = ofLanguage(code).flatMap(([file, texts]) =>
      [...names(texts)].flatMap(([name, forms]) => forms.map((text) => `${file} ${name}: ${text}`)),
    );
    expect(said.filter((one) => words.test(one))).toEqual([]);
  }
});

test.each([
  ["en", "No role can edit, delete, or comment on leads yet"],
  ["ar", "Leads: ليس لأي دور بعد صلاحية التعديل أو الحذف أو التعليق"],
  ["de", "Noch keine Rolle darf Leads bearbeiten, löschen oder kommentieren"],
  ["fr", "Leads\u00a0: aucun rôle ne permet encore de modifier, de supprimer ou de commenter ces fiches"],
  ["es", "Leads: ningún rol permite todavía editar, eliminar o comentar estos registros"],
  ["zh", "还没有角色可以编辑、删除或评论“Leads”"],
])("what no role can do yet is a sentence in %s", async (code, sentence) => {
  const { policies } = files[`./${code}/design-documents.ts`] as typeof import("./en/design-documents.ts");
  const texts = i18next.createInstance();
  await texts.init({
    lng: code,
    resources: { [code]: { translation: { policies } } },
    interpolation: { escapeValue: false },
  });
  texts.services.formatter?.add("inline", (label, language) => inlineLabel(String(label), language ?? "en"));
  const list = new Intl.ListFormat(code, { type: "disjunction" });
  const verbs = list.format((["edit", "delete", "comment"] as const).map((right) => policies.no_role_verbs[right]));
  expect(texts.t("policies.no_role", { verbs, types: "Leads" })).toBe(sentence);
});

test.each([
  ["en", "email"],
  ["ar", "البريد الإلكتروني"],
  ["de", "E-Mail"],
  ["fr", "e-mail"],
  ["es", "correo"],
  ["zh", "邮箱"],
])("whoever signs in is asked for a user name or an email, in %s", (code, email) => {
  const texts = names(files[`./${code}/ground.ts`] ?? {});
  for (const name of ["user_name", "missing_user_name"]) {
    const [said = ""] = [...texts].find(([key]) => key.endsWith(`login.${name}`))?.[1] ?? [];
    expect(said).toContain(email);
  }
});
