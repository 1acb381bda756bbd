// What a section is called: its value as people read it, in its color, with the face of a person.
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { fieldValue } from "../../../fields/field-value.ts";
import { useFormats } from "../../../fields/formats.ts";
import { isPeriod } from "../../../views/drawing/slice-condition.ts";
import type { Section } from "./sections.ts";
import type { Sections } from "./use-sections.ts";

const PEOPLE = "/access_controls/users/";

export function useSectionTitle({ told, period }: Pick<Sections, "told" | "period">) {
  const { t } = useTranslation();
  const formats = useFormats();
  return ({ row, key }: Section): { readonly content: ReactNode; readonly face: string | undefined } => {
    const [column] = told;
    const shown = column?.shown(row);
    if (column === undefined || shown === undefined) return { content: t("group.empty"), face: undefined };
    if (isPeriod(period)) return { content: formats.period(key, period), face: undefined };
    const { href, ...plain } = shown;
    const words = { yes: t("values.yes"), no: t("values.no") };
    return {
      // Here it leads nowhere: it opens and folds.
      content: fieldValue(column.field, plain, formats, words),
      face: href?.startsWith(PEOPLE) ? (shown.text ?? undefined) : undefined,
    };
  };
}
