// The start page: a greeting, the dashboard, and the modules with their record types.

import { Skeleton, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { type NavigationModule, shownModules } from "../../../client/lists/navigation.ts";
import { clockAt } from "../../../contract/zones.ts";
import { useFormats, useTimeZone } from "../../fields/formats.ts";
import { NamedIcon } from "../../parts/layout/icon.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { PageHead } from "../../parts/layout/page-head.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { dashboardQuery, FIRST_DASHBOARD, myWorkCountQuery, navigationQuery } from "../../queries.ts";
import { useSession } from "../../session/use-session.ts";
import { Dashboard } from "./dashboard.tsx";
import { FirstSteps } from "./first-steps.tsx";
import classes from "./home-screen.module.css";
import { timeOfDay } from "./time-of-day.ts";
import { useBegun } from "./use-begun.ts";

export function HomeScreen() {
  const { t } = useTranslation();
  const formats = useFormats();
  const timeZone = useTimeZone();
  const now = new Date();
  const { identity } = useSession();
  const { data: waiting = 0 } = useQuery(myWorkCountQuery);
  const query = useQuery(navigationQuery);
  const [first] = shownModules(query.data ?? []);
  const begun = useBegun(first);
  // Whoever has no records yet is shown what their team or role starts with, or a link led to, and below it what to do first.
  const isAsked = useSearch({ from: "/inside/" }).dashboard !== undefined;
  const offered = useQuery({ ...dashboardQuery(FIRST_DASHBOARD), enabled: begun === false && !isAsked });
  const hasDashboard = isAsked || (offered.isError ? false : offered.data && offered.data.id !== undefined);
  usePageTitle(t("home.title"));
  const name = identity?.user?.first_name || identity?.fullName || identity?.user?.user_name || "";
  return (
    <>
      <PageHead
        // Whole, or not at all: nothing moves when the name comes.
        title={name === "" ? "\u00a0" : t(`home.${timeOfDay(Number(clockAt(now, timeZone).slice(11, 13)))}`, { name })}
        lead={
          <>
            {formats.longDay(now)}
            {waiting > 0 && (
              <>
                {" · "}
                <Link to="/core/workflows/my_work" className={classes.waiting}>
                  {t("home.waiting", { count: waiting })}
                </Link>
              </>
            )}
          </>
        }
      />
      {(begun !== false || hasDashboard !== false) && (
        <Dashboard isWaiting={begun === undefined || (begun === false && hasDashboard === undefined)} />
      )}
      {begun === false && hasDashboard !== undefined && first && <FirstSteps module={first} />}
      <Loaded query={query} skeleton={<HomeSkeleton />}>
        {(all) => {
          // What is set up is found under Administration.
          const modules = all.flatMap((module) => {
            const entries = module.entries.filter(({ section }) => section === "work");
            return entries.length === 0 ? [] : [{ ...module, entries }];
          });
          return modules.length === 0 ? (
            <Text c="dimmed">{t("shell.menu_empty")}</Text>
          ) : (
            <div className={classes.grid}>
              {modules.map((module) => (
                <ModuleCard key={module.name} module={module} />
              ))}
            </div>
          );
        }}
      </Loaded>
    </>
  );
}

function ModuleCard({ module }: { readonly module: NavigationModule }) {
  const { t } = useTranslation();
  return (
    <section className={classes.card} aria-label={module.label}>
      <div className={classes.cardHead}>
        <Title order={2}>{module.label}</Title>
        <Text size="xs" c="dimmed">
          {t("home.types", { count: module.entries.length })}
        </Text>
      </div>
      <ul className={classes.entries}>
        {module.entries.map((entry) => (
          <li key={entry.key}>
            <Link
              to="/$module/$controller/index"
              params={{ module: entry.module, controller: entry.controller }}
              className={classes.entry}
            >
              <NamedIcon name={entry.icon} />
              <span>{entry.label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function HomeSkeleton() {
  return (
    <div className={classes.grid}>
      {[4, 6, 3].map((rows) => (
        <div key={rows} className={classes.card}>
          <div className={classes.cardHead}>
            <Skeleton h={12} w={110} my={5} />
          </div>
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
            <div key={row} className={classes.entry}>
              <Skeleton h={16} w={16} />
              <Skeleton h={10} w={90 + ((row * 37) % 60)} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
