// Says that what is drawn is an estimate, until the exact figures are there.
import { useTranslation } from "react-i18next";
import { isEstimate, type ListPage } from "../../client/lists/lists.ts";
import classes from "./chart-frame.module.css";

export function EstimateNote({ page }: { readonly page: ListPage | undefined }) {
  const { t } = useTranslation();
  if (page === undefined || !isEstimate(page)) return null;
  return (
    <p className={classes.estimate} title={t("charts.estimate_lead")}>
      {t("charts.estimate")}
    </p>
  );
}
