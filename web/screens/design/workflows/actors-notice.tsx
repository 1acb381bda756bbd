// Under the actors of a stage or transition: those who would wait in vain, because none of their roles may edit such records.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { RolesLink } from "../../../parts/access/roles-link.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { useTypeLabel } from "../../../parts/use-type-label.ts";
import { whoMayQuery } from "../../../queries.ts";
import { actorsWithoutRole } from "./actors-without-role.ts";

interface ActorsNoticeProps {
  readonly recordTypeKey: string;
  readonly actors: readonly string[];
}

export function ActorsNotice({ recordTypeKey, actors }: ActorsNoticeProps) {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(whoMayQuery(recordTypeKey));
  const types = useTypeLabel()(recordTypeKey);
  const missing = data ? actorsWithoutRole(actors, data.roles) : [];
  if (missing.length === 0) return null;
  const roles = missing === "nobody" ? "" : new Intl.ListFormat(i18n.language).format(missing);
  return (
    <Notice tone="news">
      {missing === "nobody" ? t("workflows.no_role", { types }) : t("workflows.roles_without_edit", { roles, types })}{" "}
      <RolesLink />
    </Notice>
  );
}
