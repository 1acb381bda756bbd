// The way through the app for the people who work: favorites, recent records, the modules with their record types; at its
// end one entry for administration. Groups fold away and stay so. Folded as a whole it is a rail of icons.
import { Button, CloseButton, Skeleton, Text } from "@mantine/core";
import { IconChecklist, IconHome, IconSettings } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useRouterState } from "@tanstack/react-router";
import { memo, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type NavigationEntry, type NavigationModule, shownModules } from "../../../client/lists/navigation.ts";
import { myWorkCountQuery, navigationQuery } from "../../queries.ts";
import { useSession } from "../../session/use-session.ts";
import { BrandMark } from "../layout/brand.tsx";
import { NamedIcon } from "../layout/icon.tsx";
import { FavoritesGroup } from "./favorites-group.tsx";
import { NavGroup, Rail } from "./nav-group.tsx";
import classes from "./navigation.module.css";
import { RecentGroup } from "./recent-group.tsx";

interface NavigationProps {
  readonly folded?: boolean;
  /** Given in a drawer, which needs a way out. */
  readonly onClose?: () => void;
}

export const Navigation = memo(function Navigation({ folded = false, onClose }: NavigationProps) {
  const { t } = useTranslation();
  const query = useQuery(navigationQuery);
  const modules = shownModules(query.data ?? []);
  const work = modules
    .map((module) => ({ ...module, entries: module.entries.filter(({ section }) => section === "work") }))
    .filter(({ entries, links }) => entries.length + links.length > 0);
  const atHome = useRouterState({ select: (state) => state.location.pathname === "/" });
  return (
    <nav className={classes.nav} aria-label={t("shell.navigation")} data-folded={folded || undefined}>
      <div className={classes.top}>
        <Link to="/" className={classes.brand} aria-label={t("brand")}>
          <BrandMark />
          {!folded && <span>{t("brand")}</span>}
        </Link>
        {onClose && <CloseButton aria-label={t("actions.close")} onClick={onClose} />}
      </div>
      <div className={classes.scroll}>
        <Rail label={t("shell.home")} folded={folded}>
          <Link to="/" className={classes.item} data-chosen={atHome || undefined} aria-label={t("shell.home")}>
            <IconHome size={16} stroke={1.6} aria-hidden="true" />
            {!folded && <span>{t("shell.home")}</span>}
          </Link>
        </Rail>
        <WorkEntry folded={folded} />
        <FavoritesGroup folded={folded} />
        {!folded && <RecentGroup />}
        {work.map((module) => (
          <ModuleGroup key={module.name} module={module} folded={folded} />
        ))}
        {query.data !== undefined && work.length === 0 && !folded && (
          <Text size="sm" c="dimmed" p="xs">
            {t("shell.menu_empty")}
          </Text>
        )}
        {query.isPending && <NavigationSkeleton folded={folded} />}
        {query.isError && query.data === undefined && !folded && (
          <div className={classes.failed}>
            <Text size="sm" c="dimmed">
              {t("shell.menu_failed")}
            </Text>
            <Button size="xs" variant="default" onClick={() => void query.refetch()}>
              {t("actions.retry")}
            </Button>
          </div>
        )}
      </div>
      <AdministrationEntry modules={modules} folded={folded} />
    </nav>
  );
});

/** The one way to everything of administration, for those who have anything to do there. */
function AdministrationEntry({
  modules,
  folded,
}: {
  readonly modules: readonly NavigationModule[];
  readonly folded: boolean;
}) {
  const { t } = useTranslation();
  const { identity } = useSession();
  const { module, controller } = useParams({ strict: false });
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const administered = modules.flatMap(({ entries }) => entries).filter(({ section }) => section === "administration");
  if (identity?.user?.is_administrator !== "1" && administered.length === 0) return null;
  const chosen =
    pathname === "/administration" ||
    pathname.startsWith("/metadata/record_types/") ||
    administered.some((entry) => entry.module === module && entry.controller === controller);
  return (
    <div className={classes.bottom}>
      <Rail label={t("shell.administration")} folded={folded}>
        <Link
          to="/administration"
          className={classes.item}
          data-chosen={chosen || undefined}
          aria-current={pathname === "/administration" ? "page" : undefined}
          aria-label={t("shell.administration")}
        >
          <IconSettings size={16} stroke={1.6} aria-hidden="true" />
          {!folded && <span>{t("shell.administration")}</span>}
        </Link>
      </Rail>
    </div>
  );
}

function WorkEntry({ folded }: { readonly folded: boolean }) {
  const { t } = useTranslation();
  const { data: count = 0 } = useQuery({ ...myWorkCountQuery, refetchOnWindowFocus: true });
  const chosen = useRouterState({ select: (state) => state.location.pathname === "/core/workflows/my_work" });
  const label = count > 0 ? t("work.count", { count }) : t("work.title");
  return (
    <Rail label={label} folded={folded}>
      <Link
        to="/core/workflows/my_work"
        className={classes.item}
        data-chosen={chosen || undefined}
        aria-current={chosen ? "page" : undefined}
        aria-label={label}
      >
        <IconChecklist size={16} stroke={1.6} aria-hidden="true" />
        {!folded && <span>{t("work.title")}</span>}
        {!folded && count > 0 && <small className={classes.count}>{count > 999 ? "999+" : count}</small>}
      </Link>
    </Rail>
  );
}

function ModuleGroup({ module, folded }: { readonly module: NavigationModule; readonly folded: boolean }) {
  return (
    <NavGroup name={module.name} label={module.label} folded={folded}>
      {module.entries.map((entry) => (
        <li key={entry.key}>
          <Entry entry={entry} folded={folded} />
        </li>
      ))}
      {module.links.map((link) => (
        <li key={`${link.label} ${link.href}`}>
          <Rail label={link.label} folded={folded}>
            <a href={link.href} className={classes.item} aria-label={link.label} rel="noreferrer">
              <NamedIcon name={link.icon} />
              {!folded && <span>{link.label}</span>}
            </a>
          </Rail>
        </li>
      ))}
    </NavGroup>
  );
}

function Entry({ entry, folded }: { readonly entry: NavigationEntry; readonly folded: boolean }) {
  const here = useParams({ strict: false });
  const chosen = here.module === entry.module && here.controller === entry.controller;
  const place = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (chosen) place.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <Rail label={entry.label} folded={folded}>
      <Link
        ref={place}
        to="/$module/$controller/index"
        params={{ module: entry.module, controller: entry.controller }}
        className={classes.item}
        data-chosen={chosen || undefined}
        aria-current={chosen ? "page" : undefined}
        aria-label={entry.label}
      >
        <NamedIcon name={entry.icon} />
        {!folded && <span>{entry.label}</span>}
      </Link>
    </Rail>
  );
}

function NavigationSkeleton({ folded }: { readonly folded: boolean }) {
  return (
    <div className={classes.group} aria-hidden="true">
      {[72, 96, 64, 110, 84, 90].map((width) => (
        <div key={width} className={classes.skeletonCell}>
          <Skeleton w={16} h={16} />
          {!folded && <Skeleton w={width} h={10} />}
        </div>
      ))}
    </div>
  );
}
