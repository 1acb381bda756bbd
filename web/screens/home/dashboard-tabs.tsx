// The dashboards to choose among: one's own, and those that are shared. What can be done with a shared one is in its menu.
import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, IconPlus, IconSettings, IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Pin, TeamDashboard } from "../../../client/lists/dashboard.ts";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";
import { showUndo, showWarning } from "../../parts/toasts.tsx";
import { useWrite } from "../../parts/use-write.ts";
import { navigationQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";
import classes from "./dashboard-tabs.module.css";
import { OWN } from "./use-chosen-dashboard.ts";

const DashboardDialog = lazyPart(async () => (await import("./dashboard-dialog.tsx")).DashboardDialog, {
  hasInput: true,
});

interface DashboardTabsProps {
  readonly others: readonly TeamDashboard[];
  readonly chosen: TeamDashboard | undefined;
  /** What a new one starts with. */
  readonly pins: readonly Pin[];
}

export function DashboardTabs({ others, chosen, pins }: DashboardTabsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<"new" | "settings">();
  const { data: mayAdd = false } = useQuery({
    ...navigationQuery,
    select: (modules) =>
      modules.some(({ entries }) =>
        entries.some(({ key, operations }) => key === "core/team_dashboards" && operations.includes("add")),
      ),
  });
  const { dates } = useSearch({ from: "/inside/" });
  const searchOf = (id: string) => ({ dashboard: id, ...(dates === undefined ? {} : { dates }) });
  const open = (id: string) => void navigate({ to: "/", search: searchOf(id) });
  const remove = useWrite({
    mutationFn: async (dashboard: TeamDashboard) => client.views.deleteDashboard(dashboard.id),
    onSuccess: async (_, dashboard) => {
      open(OWN);
      await queryClient.invalidateQueries({ queryKey: ["dashboard"] });
      showUndo(t, t("dashboard.deleted", { name: dashboard.name }), async () => {
        await client.views.restoreDashboard(dashboard.id);
        await queryClient.invalidateQueries({ queryKey: ["dashboard"] });
        open(dashboard.id);
      });
    },
    onError: ({ message }) => showWarning(message),
  });
  if (others.length === 0 && !mayAdd) return <span />;
  return (
    <div className={classes.bar}>
      <nav className={classes.tabs} aria-label={t("dashboard.choose")}>
        <Tab search={searchOf(OWN)} name={t("dashboard.mine")} isChosen={chosen === undefined} />
        {others.map(({ id, name, through }) => (
          <Tab
            key={id}
            search={searchOf(id)}
            name={name}
            title={through && t(`dashboard.through_${through}`)}
            isChosen={chosen?.id === id}
          />
        ))}
      </nav>
      {chosen && (chosen.mayEdit || chosen.mayDelete) && (
        <Menu position="bottom-start" shadow="md" width={200} withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={t("dashboard.options", { name: chosen.name })}
            >
              <IconDots size={16} stroke={1.6} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {chosen.mayEdit && (
              <Menu.Item leftSection={<IconSettings size={16} stroke={1.6} />} onClick={() => setDialog("settings")}>
                {t("dashboard.settings")}
              </Menu.Item>
            )}
            {chosen.mayDelete && (
              <Menu.Item leftSection={<IconTrash size={16} stroke={1.6} />} onClick={() => remove.mutate(chosen)}>
                {t("dashboard.delete")}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {mayAdd && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={t("dashboard.new")}
          title={t("dashboard.new")}
          onClick={() => setDialog("new")}
        >
          <IconPlus size={16} stroke={1.6} />
        </ActionIcon>
      )}
      {dialog && (
        <DashboardDialog
          dashboard={dialog === "settings" ? chosen : undefined}
          pins={pins}
          onSaved={async (id) => {
            setDialog(undefined);
            await queryClient.invalidateQueries({ queryKey: ["dashboard"] });
            open(id);
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </div>
  );
}

interface TabProps {
  readonly search: { readonly dashboard: string; readonly dates?: string };
  readonly name: string;
  readonly title?: string | undefined;
  readonly isChosen: boolean;
}

function Tab({ search, name, title, isChosen }: TabProps) {
  return (
    <Link
      to="/"
      search={search}
      className={classes.tab}
      title={title}
      aria-current={isChosen ? "page" : undefined}
      activeProps={{}}
      dir="auto"
    >
      {name}
    </Link>
  );
}
