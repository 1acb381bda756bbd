// Says of a record type that no role but administrators' can see, or add records to, that this is so, with the way to the roles.
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
  const others = data?.roles.filter((role) => !isOn(role.is_administrator)) ?? [];
  const lacking = (["index", "add"] as const).find((one) => !others.some(({ operations }) => isOn(operations[one])));
  if (data === undefined || lacking === undefined) return null;
  return (
    <Notice tone="news">
      {t(`design.only_administrators_${lacking}`, { types })}{" "}
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
