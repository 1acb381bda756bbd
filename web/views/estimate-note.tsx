// Says that what is drawn is an estimate, until the exact figures are there.
import { useTranslation } from "react-i18next";
import type { ListPage } from "../../client/lists/lists.ts";
import classes from "./chart-frame.module.css";

export function EstimateNote({ page }: { readonly page: ListPage | undefined }) {
  const { t } = useTranslation();
  // Of records only their number is ever estimated.
  if (page === undefined || page.isExact || page.header.every(({ aggregate }) => aggregate === undefined)) return null;
  return (
    <p className={classes.estimate} role="status">
      {t("charts.estimate")}
    </p>
  );
}
