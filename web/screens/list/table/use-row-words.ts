// What the rows of a table are written with, found once for all of them: looked up in each row it would be most of the row's work.
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Formats } from "../../../../contract/formats.ts";
import { useFormats } from "../../../fields/formats.ts";
import type { ValueWords } from "../../../fields/showing/shown-value.ts";

export interface RowWords extends ValueWords {
  readonly formats: Formats;
  readonly unnamed: string;
  readonly overdue: string;
  readonly select: (name: string) => string;
  /** Why a cell could not be saved. */
  readonly notSaved: (errors: readonly string[]) => string;
}

export function useRowWords(): RowWords {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    () => ({
      formats,
      yes: t("values.yes"),
      no: t("values.no"),
      unnamed: t("list.unnamed"),
      overdue: t("display.overdue"),
      select: (name) => t("bulk.select_row", { name }),
      notSaved: (errors) => t("table.not_saved", { reason: errors.join(" ") || t("edit.conflict") }),
    }),
    [t, formats],
  );
}
