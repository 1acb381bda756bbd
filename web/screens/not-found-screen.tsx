// An address that names nothing.
import { Button } from "@mantine/core";
import { IconError404 } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../parts/layout/empty-state.tsx";
import { usePageTitle } from "../parts/use-page-title.ts";

export function NotFoundScreen() {
  const { t } = useTranslation();
  usePageTitle(t("states.not_found"));
  return (
    <EmptyState icon={IconError404} title={t("states.not_found")} text={t("states.not_found_lead")}>
      <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
        {t("actions.home")}
      </Button>
    </EmptyState>
  );
}
