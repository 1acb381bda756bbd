// The languages that sentences and labels are written in: by their own names, and how each lists things. A language has a
// folder beside `en/` here and in `web/texts/` and one in `server/labels/`, and a line here, in `write.ts` and in `shipped-labels.ts`.
interface LanguageFacts {
  /** In the language itself. */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  /** Between names and values that are listed. */
  readonly names: string;
  /** Between sentences that are listed: the parameter `faults`. */
  readonly faults: string;
}

export const languageNames = {
  en: { name: "English", direction: "ltr", names: ", ", faults: "; " },
  de: { name: "Deutsch", direction: "ltr", names: ", ", faults: "; " },
  fr: { name: "Français", direction: "ltr", names: ", ", faults: "\u202f; " },
  es: { name: "Español", direction: "ltr", names: ", ", faults: "; " },
  zh: { name: "简体中文", direction: "ltr", names: "、", faults: "；" },
  ar: { name: "العربية", direction: "rtl", names: "، ", faults: "؛ " },
} as const satisfies Record<string, LanguageFacts>;

export type Language = keyof typeof languageNames;
export const languages = Object.keys(languageNames) as readonly Language[];

/** The language of a locale (`ar-EG`, `de_AT`, `zh-Hans-CN`), where it is one of ours. */
export function languageOf(locale: string | null | undefined): Language | undefined {
  const code = locale?.trim().toLowerCase().split(/[-_]/u)[0];
  return languages.find((language) => language === code);
}
