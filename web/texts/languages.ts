// The languages of the app: i18next with the ground of English bundled, the rest of it fetched with the screens that need it,
// and other languages when chosen; switches `lang` and `dir`.
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { inlineLabel } from "../../contract/labels.ts";
import { languageNames, languageOf as languageOfLocale } from "../../contract/texts/languages.ts";
import { type GroundTexts, ground } from "./en/ground.ts";
import type { Texts } from "./en/inside.ts";

type PeopleTexts = typeof import("./en/people.ts");
type TableTexts = typeof import("./en/table.ts");
type DesignTexts = typeof import("./en/design.ts");
type ImportTexts = typeof import("./en/imports.ts");

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: GroundTexts & Texts & PeopleTexts & TableTexts & DesignTexts & ImportTexts };
  }
}

/** Texts of screens that are fetched with them: not everybody needs them, and nobody before logging in. */
type Part = "inside" | "table" | "people" | "design" | "imports";

/** By language and part; the English of the first two comes with their screens (`addEnglish`). */
const files = import.meta.glob<object>([
  "./*/{ground,inside,table,people,design,imports}.ts",
  "!./en/{ground,inside,table}.ts",
]);

/** `ground` and `inside` hold their texts as one object. */
async function read(code: string, name: Part | "ground"): Promise<object> {
  const texts: Record<string, unknown> = { ...(await files[`./${code}/${name}.ts`]?.()) };
  return { ...(name === "ground" || name === "inside" ? Object(texts[name]) : texts) };
}

const wanted = new Set<Part>();

async function loadPart(part: Part, code: string): Promise<void> {
  i18next.addResourceBundle(code, "translation", await read(code, part), true);
}

/** English texts that come in the same file as their screens. */
export const addEnglish = (texts: object): void => {
  i18next.addResourceBundle("en", "translation", { ...texts }, true);
};

/** A screen together with its texts, for lazy routes. */
export async function withTexts<Module>(part: Part, screen: () => Promise<Module>): Promise<Module> {
  wanted.add(part);
  const codes = new Set(["en", i18next.language]);
  const [module] = await Promise.all([screen(), ...[...codes].map((code) => loadPart(part, code))]);
  return module;
}

export interface Language {
  readonly code: string;
  /** In the language itself. */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
}

export const languages: readonly Language[] = Object.entries(languageNames).map(([code, one]) => ({ code, ...one }));

const KEY = "dossier.language";

const languageOf = (code: string | null): Language | undefined => languages.find((language) => language.code === code);

/** What the reader chooses is kept in this browser. */
export async function chooseLanguage(code: string): Promise<void> {
  if (await speak(code)) localStorage.setItem(KEY, code);
}

async function speak(code: string): Promise<boolean> {
  const language = languageOf(code);
  if (language === undefined) return false;
  if (!i18next.hasResourceBundle(code, "translation")) {
    i18next.addResourceBundle(code, "translation", await read(code, "ground"));
  }
  await Promise.all([...wanted].map((part) => loadPart(part, code)));
  // First of all: what is asked for from here on is answered in this language.
  document.documentElement.lang = code;
  document.documentElement.dir = language.direction;
  await i18next.changeLanguage(code);
  return true;
}

export async function startTexts(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: { ...ground } } },
    interpolation: { escapeValue: false },
  });
  i18next.services.formatter?.add("inline", (label, language) => inlineLabel(String(label), language ?? "en"));
  const wished = localStorage.getItem(KEY) ?? firstOf(navigator.languages);
  // Without the language's file the app still works, in English.
  if (wished !== undefined && wished !== "en") await speak(wished).catch(() => undefined);
}

/** Of what the browser asks for, the first that we speak. */
const firstOf = (locales: readonly string[]): string | undefined =>
  locales.map(languageOfLocale).find((language) => language !== undefined);

export const directionOf = (code: string): "ltr" | "rtl" => languageOf(code)?.direction ?? "ltr";
