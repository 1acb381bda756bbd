// The languages of the app: i18next with the ground of English bundled, the rest of it fetched with the screens that need it,
// and other languages when chosen; switches `lang` and `dir`.
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
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
const parts = {
  // Their English comes with their screens (`addEnglish`).
  inside: { ar: async () => (await import("./ar/inside.ts")).ar },
  table: { ar: () => import("./ar/table.ts") },
  people: { en: () => import("./en/people.ts"), ar: () => import("./ar/people.ts") },
  design: { en: () => import("./en/design.ts"), ar: () => import("./ar/design.ts") },
  imports: { en: () => import("./en/imports.ts"), ar: () => import("./ar/imports.ts") },
} as const satisfies Record<string, Record<string, () => Promise<object>>>;

type Part = keyof typeof parts;

const wanted = new Set<Part>();

async function loadPart(part: Part, code: string): Promise<void> {
  const load = Object.entries(parts[part]).find(([language]) => language === code)?.[1];
  // A module's own object cannot be written to; i18next merges into what it was given first.
  if (load) i18next.addResourceBundle(code, "translation", { ...(await load()) }, true);
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
  readonly load?: () => Promise<object>;
}

export const languages: readonly Language[] = [
  { code: "en", name: "English", direction: "ltr" },
  { code: "ar", name: "العربية", direction: "rtl", load: async () => (await import("./ar/ground.ts")).ground },
];

const KEY = "dossier.language";

const languageOf = (code: string | null): Language | undefined => languages.find((language) => language.code === code);

export async function chooseLanguage(code: string): Promise<void> {
  const language = languageOf(code);
  if (language === undefined) return;
  if (language.load && !i18next.hasResourceBundle(code, "translation")) {
    i18next.addResourceBundle(code, "translation", { ...(await language.load()) });
  }
  await Promise.all([...wanted].map((part) => loadPart(part, code)));
  await i18next.changeLanguage(code);
  document.documentElement.lang = code;
  document.documentElement.dir = language.direction;
  localStorage.setItem(KEY, code);
}

export async function startTexts(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: { ...ground } } },
    interpolation: { escapeValue: false },
  });
  const chosen = localStorage.getItem(KEY);
  // Without the chosen language's file the app still works, in English.
  if (chosen !== null && chosen !== "en") await chooseLanguage(chosen).catch(() => undefined);
}

export const directionOf = (code: string): "ltr" | "rtl" => languageOf(code)?.direction ?? "ltr";
