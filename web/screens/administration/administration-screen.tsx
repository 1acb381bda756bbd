// Administration: its index, and the page that is open beside it (people, invitations, groups, roles, record types, …). Who is no
// administrator has the index alone, with what their role lets them change.
import { Skeleton, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconChevronLeft, IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type ComponentType, lazy } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { PartBoundary } from "../../parts/layout/missing-part.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { navigationQuery } from "../../queries.ts";
import { useSession } from "../../session/use-session.ts";
import { withTexts } from "../../texts/languages.ts";
import { administrationItems } from "./administration-groups.ts";
import { AdministrationIndex } from "./administration-index.tsx";
import type { AdministrationPart } from "./administration-parts.ts";
import classes from "./administration-screen.module.css";
import { AllSessionsPart } from "./all-sessions-part.tsx";
import { AuditPart } from "./audit-part.tsx";
import { GroupsPart } from "./groups-part.tsx";
import { InvitationsPart } from "./invitations-part.tsx";
import { AllKeysPart } from "./keys/all-keys-part.tsx";
import { LicensePart } from "./license-part.tsx";
import { OrganizationPart } from "./organization-part.tsx";
import { RolesPart } from "./roles/roles-part.tsx";
import { SpeedPart } from "./speed-part.tsx";
import { UsersPart } from "./users-part.tsx";

const RecordTypesPart = lazy(async () => ({
  default: (await withTexts("design", () => import("../design/types/record-types-part.tsx"))).RecordTypesPart,
}));

const NavigationPart = lazy(async () => ({
  default: (await withTexts("design", () => import("../design/navigation/navigation-part.tsx"))).NavigationPart,
}));

const TranslationsPart = lazy(async () => ({
  default: (await withTexts("design", () => import("../design/translations/translations-part.tsx"))).TranslationsPart,
}));

const MovingPart = lazy(async () => ({
  default: (await withTexts("design", () => import("../design/moving/moving-part.tsx"))).MovingPart,
}));

const parts: Readonly<Record<AdministrationPart, ComponentType>> = {
  users: UsersPart,
  invitations: InvitationsPart,
  groups: GroupsPart,
  roles: RolesPart,
  record_types: RecordTypesPart,
  navigation: NavigationPart,
  translations: TranslationsPart,
  designs: MovingPart,
  speed: SpeedPart,
  organization: OrganizationPart,
  license: LicensePart,
  sessions: AllSessionsPart,
  api_keys: AllKeysPart,
  audit: AuditPart,
};

export function AdministrationScreen() {
  const { t } = useTranslation();
  const { part: chosen } = useSearch({ from: "/inside/administration" });
  const { identity } = useSession();
  const { data: modules } = useQuery(navigationQuery);
  const isWide = useMediaQuery("(min-width: 900px)", undefined, { getInitialValueInEffect: false }) ?? true;
  usePageTitle(t("admin.title"));
  const isAdministrator = identity?.user?.is_administrator !== "0";
  if (!isAdministrator && modules && administrationItems(modules, false).length === 0) {
    return <EmptyState icon={IconLock} title={t("states.forbidden")} text={t("admin.forbidden")} />;
  }
  // Where there is no room beside it, the index is a page of its own.
  const part = isAdministrator ? (chosen ?? (isWide ? "users" : undefined)) : undefined;
  const Part = part && parts[part];
  return (
    <div className={classes.page}>
      {(isWide || Part === undefined) && (
        <div className={classes.side}>
          <Title order={1} className={classes.title ?? ""}>
            {t("admin.title")}
          </Title>
          <AdministrationIndex isAdministrator={isAdministrator} part={part} />
        </div>
      )}
      {Part && (
        <div className={classes.part}>
          {!isWide && (
            <>
              <h1 className="visually-hidden">{t("admin.title")}</h1>
              <Link to="/administration" className={classes.back}>
                <IconChevronLeft size={16} stroke={1.8} aria-hidden="true" />
                {t("admin.title")}
              </Link>
            </>
          )}
          <PartBoundary key={part} fallback={<Skeleton h={320} radius="md" />}>
            <Part />
          </PartBoundary>
        </div>
      )}
    </div>
  );
}
