// To the permissions of roles, in another tab: what is being designed stays open.
import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

export function RolesLink() {
  const { t } = useTranslation();
  return (
    <Anchor
      inherit
      underline="always"
      renderRoot={(props) => <Link {...props} to="/administration?part=roles" target="_blank" />}
    >
      {t("policies.roles")}
    </Anchor>
  );
}
