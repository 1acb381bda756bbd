// Names the browser tab after the page.
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

export function usePageTitle(page: string | undefined): void {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = page === undefined ? t("brand") : t("page_title", { page });
  }, [page, t]);
}
