// Administration: people, invitations, groups, roles, record types, how fast lists are, the organization, its license, sessions, the audit log; and the lists
// that belong to it.
import { Button, Skeleton, Tabs } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ComponentType, lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { PageHead } from "../../parts/layout/page-head.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { useSession } from "../../session/use-session.ts";
import { withTexts } from "../../texts/languages.ts";
import { type AdministrationPart, administrationParts } from "./administration-parts.ts";
import classes from "./administration-screen.module.css";
import { AllSessionsPart } from "./all-sessions-part.tsx";
import { AuditPart } from "./audit-part.tsx";
import { GroupsPart } from "./groups-part.tsx";
import { InvitationsPart } from "./invitations-part.tsx";
import { LicensePart } from "./license-part.tsx";
import { OrganizationPart } from "./organization-part.tsx";
import { RolesPart } from "./roles-part.tsx";
import { SpeedPart } from "./speed-part.tsx";
import { UsersPart } from "./users-part.tsx";

const RecordTypesPart = lazy(async () => ({
  default: (await withTexts("design", () => import("../design/types/record-types-part.tsx"))).RecordTypesPart,
}));

const parts: Readonly<Record<AdministrationPart, ComponentType>> = {
  users: UsersPart,
  invitations: InvitationsPart,
  groups: GroupsPart,
  roles: RolesPart,
  record_types: RecordTypesPart,
  speed: SpeedPart,
  organization: OrganizationPart,
  license: LicensePart,
  sessions: AllSessionsPart,
  audit: AuditPart,
};

/** Everything is a record type: these have the ordinary list. */
const lists = ["policies", "api_keys"] as const;

export function AdministrationScreen() {
  const { t } = useTranslation();
  const { part = "users" } = useSearch({ from: "/inside/administration" });
  const { identity } = useSession();
  const navigate = useNavigate();
  usePageTitle(t("admin.title"));
  if (identity?.user?.is_administrator === "0") {
    return <EmptyState icon={IconLock} title={t("states.forbidden")} text={t("admin.forbidden")} />;
  }
  const Part = parts[part];
  return (
    <div className={classes.page}>
      <PageHead title={t("admin.title")} lead={t("admin.lead")}>
        <nav className={classes.links} aria-label={t("admin.lists")}>
          {lists.map((controller) => (
            <Button
              key={controller}
              variant="default"
              size="xs"
              renderRoot={(props) => (
                <Link {...props} to="/$module/$controller/index" params={{ module: "access_controls", controller }} />
              )}
            >
              {t(`admin.list_${controller}`)}
            </Button>
          ))}
        </nav>
      </PageHead>
      <Tabs
        value={part}
        className={classes.tabs ?? ""}
        onChange={(value) => {
          const next = administrationParts.find((name) => name === value);
          void navigate({
            to: "/administration",
            search: next === undefined || next === "users" ? {} : { part: next },
          });
        }}
      >
        <Tabs.List>
          {administrationParts.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {name === "record_types" ? t("shell.record_types") : t(`admin.part_${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={part} pt="lg">
          <Suspense fallback={<Skeleton h={320} radius="md" />}>
            <Part />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
