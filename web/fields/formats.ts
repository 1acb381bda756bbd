// The formats of whoever is signed in: the locale, the clock and the time zone of their profile.
import { useTranslation } from "react-i18next";
import { type Formats, formatsOf } from "../../contract/formats.ts";
import { useSession } from "../session/use-session.ts";

export function useFormats(): Formats {
  const locale = useLocale();
  const words = useWordsLocale();
  const { identity } = useSession();
  return formatsOf({ locale, words, hours: identity?.user?.hour_format, timeZone: identity?.user?.time_zone });
}

/** The time zone in which the reader writes and reads times; the browser's own before anybody is signed in. */
export function useTimeZone(): string {
  const { identity } = useSession();
  return identity?.user?.time_zone || machineZone();
}

let machine: string | undefined;

/** Asked for once: it takes a formatter to tell. */
function machineZone(): string {
  machine ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return machine;
}

/** The profile's; another language of the app brings its own, because dates and numbers stand among its words. */
export function useLocale(): string | undefined {
  const { i18n } = useTranslation();
  const { identity } = useSession();
  const own = identity?.user?.locale?.replaceAll("_", "-");
  if (i18n.language === "en") return own || undefined;
  return own?.split("-")[0] === i18n.language ? own : i18n.language;
}

/** Of names of days and months, which stand among the app's words: English as it is written where the reader is. */
function useWordsLocale(): string | undefined {
  const { i18n } = useTranslation();
  return wordsLocaleOf(i18n.language, useLocale());
}

/** 17 Nov 2026 in Germany, Nov 17, 2026 in the United States. */
function wordsLocaleOf(language: string, own: string | undefined): string | undefined {
  const [spoken, ...parts] = own?.split("-") ?? [];
  if (own === undefined || spoken === language) return own;
  const region = parts.find((part) => /^(?:[A-Z]{2}|\d{3})$/.test(part));
  return region === undefined ? language : `${language}-${region}`;
}
