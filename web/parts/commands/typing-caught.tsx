// Stands in for an input that is still being fetched: what is typed until it is there goes into it.
import { useLayoutEffect } from "react";
import { useTranslation } from "react-i18next";
import { catchTyping, hurryTyping } from "./type-ahead.ts";

export function TypingCaught() {
  const { t } = useTranslation();
  useLayoutEffect(() => {
    catchTyping(t("commands.type_ahead"));
    return hurryTyping;
  }, [t]);
  return null;
}
