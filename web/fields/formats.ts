// The formats of whoever is signed in: the locale, the clock and the time zone of their profile.
import { useTranslation } from "react-i18next";
import { type Formats, formatsOf } from "../../contract/formats.ts";
import { useSession } from "../session/use-session.ts";

export function useFormats(): Formats {
  const locale = useLocale();
  const { identity } = useSession();
  return formatsOf({ locale, hours: identity?.user?.hour_format, timeZone: identity?.user?.time_zone });
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
