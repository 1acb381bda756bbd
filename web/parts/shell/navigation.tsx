// The modules and their record types; groups fold away and stay so. Folded as a whole it is a rail of icons.
import { Button, CloseButton, Skeleton, Text, Tooltip, UnstyledButton } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconChecklist, IconChevronDown, IconHome } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { NavigationEntry, NavigationModule } from "../../../client/lists/navigation.ts";
import { myWorkCountQuery, navigationQuery } from "../../queries.ts";
import { useSession } from "../../session/use-session.ts";
import { BrandMark } from "../layout/brand.tsx";
import { NamedIcon } from "../layout/icon.tsx";
import classes from "./navigation.module.css";

interface NavigationProps {
  readonly folded?: boolean;
  /** Given in a drawer, which needs a way out. */
  readonly onClose?: () => void;
}

/** How the service itself is set up: administrators' work, and for the others seldom of interest. */
const settingsModules: ReadonlySet<string> = new Set(["core", "access_controls", "masters", "development_base"]);

export function Navigation({ folded = false, onClose }: NavigationProps) {
  const { t } = useTranslation();
  const query = useQuery(navigationQuery);
  const { identity } = useSession();
  const isAdministrator = identity?.user?.is_administrator === "1";
  const work = query.data?.filter(({ name }) => !settingsModules.has(name)) ?? [];
  const settings = query.data?.filter(({ name }) => settingsModules.has(name)) ?? [];
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
        {work.map((module) => (
          <ModuleGroup key={module.name} module={module} folded={folded} />
        ))}
        {settings.length > 0 && (
          <ModuleGroup
            // Who only reads them opens them when wanted; each kind of reader has a memory of its own.
            module={{
              name: isAdministrator ? "settings" : "settings-read",
              label: t("shell.settings"),
              icon: undefined,
              entries: settings.flatMap(({ entries }) => entries),
              links: settings.flatMap(({ links }) => links),
            }}
            folded={folded}
            closedAtFirst={!isAdministrator}
          />
        )}
        {query.data?.length === 0 && !folded && (
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
    </nav>
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

interface ModuleGroupProps {
  readonly module: NavigationModule;
  readonly folded: boolean;
  readonly closedAtFirst?: boolean;
}

function ModuleGroup({ module, folded, closedAtFirst = false }: ModuleGroupProps) {
  // Those that are not as they were at first.
  const [turned, setTurned] = useLocalStorage<readonly string[]>({
    key: "dossier.navigation.closed",
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const isTurned = turned.includes(module.name);
  const open = isTurned === closedAtFirst || (folded && !closedAtFirst);
  const toggle = () => setTurned(isTurned ? turned.filter((name) => name !== module.name) : [...turned, module.name]);
  return (
    <section className={classes.group} aria-label={module.label}>
      {!folded && (
        <UnstyledButton className={classes.heading ?? ""} aria-expanded={open} onClick={toggle}>
          <span>{module.label}</span>
          <IconChevronDown size={12} stroke={2} aria-hidden="true" className={classes.chevron} />
        </UnstyledButton>
      )}
      {open && (
        <ul className={classes.list}>
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
        </ul>
      )}
    </section>
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

function Rail({
  label,
  folded,
  children,
}: {
  readonly label: string;
  readonly folded: boolean;
  readonly children: React.ReactElement;
}) {
  return (
    <Tooltip label={label} position="right" disabled={!folded}>
      {children}
    </Tooltip>
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
