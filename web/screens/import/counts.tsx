// How many rows are, or were, added, changed, left as they are, skipped or refused.
import { useTranslation } from "react-i18next";
import type { ImportCounts } from "../../../client/records/jobs.ts";
import { useFormats } from "../../fields/formats.ts";
import classes from "./import.module.css";

const names = ["added", "changed", "unchanged", "skipped", "failed"] as const;

export function Counts({ counts, isCheck = false }: { readonly counts: ImportCounts; readonly isCheck?: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  // New ones are always told; of the rest, what there is.
  const shown = names.filter((name) => name === "added" || (counts[name] ?? 0) > 0);
  return (
    <ul className={classes.counts} aria-label={t("imports.counts.label")}>
      {shown.map((name) => {
        const count = counts[name] ?? 0;
        return (
          <li key={name} data-name={name} data-none={count === 0 || undefined}>
            <strong>{formats.count(count)}</strong> {t(`imports.counts.${isCheck ? "will" : "was"}.${name}`, { count })}
          </li>
        );
      })}
    </ul>
  );
}
