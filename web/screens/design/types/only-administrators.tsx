// Says of a record type that no role allows yet that only administrators can use it, with the way to the roles.
import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { isOn } from "../../../../client/design/record-types.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { whoMayQuery } from "../../../queries.ts";

interface OnlyAdministratorsProps {
  readonly recordTypeKey: string;
  readonly types: string;
}

export function OnlyAdministrators({ recordTypeKey, types }: OnlyAdministratorsProps) {
  const { t } = useTranslation();
  const { data } = useQuery(whoMayQuery(recordTypeKey));
  const isAllowed = data?.roles.some((role) => !isOn(role.is_administrator) && isOn(role.operations.index));
  if (data === undefined || isAllowed) return null;
  return (
    <Notice tone="news">
      {t("design.only_administrators", { types })}{" "}
      <Anchor
        inherit
        underline="always"
        renderRoot={(props) => <Link {...props} to="/administration" search={{ part: "roles", type: recordTypeKey }} />}
      >
        {t("design.allow_in_role")}
      </Anchor>
    </Notice>
  );
}
