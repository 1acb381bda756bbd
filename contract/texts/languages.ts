// The languages that sentences and labels are written in, by their own names.
export const languageNames = {
  en: { name: "English", direction: "ltr" },
  ar: { name: "العربية", direction: "rtl" },
} as const satisfies Record<string, { readonly name: string; readonly direction: "ltr" | "rtl" }>;

export type Language = keyof typeof languageNames;
export const languages = Object.keys(languageNames) as readonly Language[];
