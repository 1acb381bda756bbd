// The record types that a text names, by their labels.
import { useTranslation } from "react-i18next";
import { useTypeLabel } from "../../parts/use-type-label.ts";

/** Separated by semicolons. */
export function TypeNames({ keys }: { readonly keys: string }) {
  const { i18n } = useTranslation();
  const typeLabel = useTypeLabel();
  return <>{new Intl.ListFormat(i18n.language, { type: "unit" }).format(keys.split(";").map(typeLabel))}</>;
}
