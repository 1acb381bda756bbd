// How whoever looks writes things: the language, and the words for yes and no.
import { useTranslation } from "react-i18next";
import type { Reader } from "../../../fields/read-text.ts";

export function useReader(): Reader {
  const { t, i18n } = useTranslation();
  return { locale: i18n.language === "en" ? undefined : i18n.language, yes: t("values.yes"), no: t("values.no") };
}
