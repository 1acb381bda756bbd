// An instant of the wire in the reader's own zone and language; the exact one on hover.
import { useTranslation } from "react-i18next";
import { readInstant } from "../../client/instant.ts";

export function Moment({ text, none }: { readonly text: string | null | undefined; readonly none: string }) {
  const { i18n } = useTranslation();
  const date = readInstant(text);
  if (date === undefined) return <>{none}</>;
  const language = i18n.language === "en" ? undefined : i18n.language;
  return (
    <time
      dateTime={date.toISOString()}
      title={new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "long" }).format(date)}
    >
      {new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(date)}
    </time>
  );
}
