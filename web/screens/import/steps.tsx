// The four steps of an import, and which of them it is at.
import { IconCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "./import.module.css";

const names = ["file", "columns", "check", "run"] as const;
export type StepName = (typeof names)[number];

export function Steps({ current }: { readonly current: StepName }) {
  const { t } = useTranslation();
  const at = names.indexOf(current);
  return (
    <ol className={classes.steps} aria-label={t("imports.steps.label")}>
      {names.map((name, index) => (
        <li
          key={name}
          aria-current={index === at ? "step" : undefined}
          data-state={index < at ? "done" : index === at ? "now" : "later"}
        >
          <span className={classes.number} aria-hidden="true">
            {index < at ? <IconCheck size={13} stroke={2.4} /> : index + 1}
          </span>
          <span className={classes.stepName}>{t(`imports.steps.${name}`)}</span>
        </li>
      ))}
    </ol>
  );
}
