// How many faults are in what it stands beside: a number to the eye, a sentence to who listens.
import { useTranslation } from "react-i18next";
import classes from "./fault-count.module.css";

export function FaultCount({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <span className={classes.count}>
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">{t("record.refused", { count })}</span>
    </span>
  );
}
