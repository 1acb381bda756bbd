// How whoever looks writes things: the locale and time zone of their profile, and the words for yes and no.
import { useTranslation } from "react-i18next";
import { useLocale, useTimeZone } from "../../../fields/formats.ts";
import type { Reader } from "../../../fields/reading/reading.ts";

export function useReader(): Reader {
  const { t } = useTranslation();
  return { locale: useLocale(), timeZone: useTimeZone(), yes: t("values.yes"), no: t("values.no") };
}
