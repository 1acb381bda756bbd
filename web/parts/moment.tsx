// An instant of the wire in the reader's own zone and language; the exact one on hover.
import { useTranslation } from "react-i18next";
import { readInstant } from "../../client/instant.ts";
import { useFormats } from "../fields/formats.ts";

export function Moment({ text, none }: { readonly text: string | null | undefined; readonly none: string }) {
  const { i18n } = useTranslation();
  const formats = useFormats();
  const date = readInstant(text);
  if (date === undefined) return <>{none}</>;
  const language = i18n.language === "en" ? undefined : i18n.language;
  return (
    <time dateTime={date.toISOString()} title={formats.exact(date)}>
      {new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(date)}
    </time>
  );
}
