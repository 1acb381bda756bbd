// Where am I: module, record type, page; from the address and the navigation.
import { Skeleton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useRouterState, useSearch } from "@tanstack/react-router";
import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { navigationQuery, recordQuery, schemaQuery } from "../../queries.ts";
import classes from "./breadcrumb.module.css";

export const Breadcrumb = memo(function Breadcrumb() {
  const { t } = useTranslation();
  const crumbs = useCrumbs();
  return (
    <nav aria-label={t("shell.breadcrumb")} className={classes.crumbs}>
      <ol>
        {crumbs.map(({ key, content }, index) => (
          <li key={key} aria-current={index === crumbs.length - 1 ? "page" : undefined}>
            {index > 0 && <IconChevronRight size={13} aria-hidden="true" className={classes.between} />}
            {content}
          </li>
        ))}
      </ol>
    </nav>
  );
});

function useCrumbs(): readonly { key: string; content: ReactNode }[] {
  const { t } = useTranslation();
  const { module, controller } = useParams({ strict: false });
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const isOnItsWay = useRouterState({ select: ({ status }) => status === "pending" });
  const navigation = useQuery(navigationQuery);
  // Types that are not in the navigation have a name all the same, once their page has asked for it.
  const schema = useQuery({ ...schemaQuery(`${module}/${controller}`), enabled: false });
  const { id } = useSearch({ strict: false });
  const mode = pathname.endsWith("/edit") ? "edit" : "view";
  const { data: record, error } = useQuery({
    ...recordQuery(`${module}/${controller}`, mode, id),
    enabled: false,
  });
  const isNowhere = error instanceof WireFailure && error.status === 404;
  const name = isNowhere ? t("states.not_found") : record?.name || record?.singular;
  if (pathname === "/") return [{ key: "home", content: <span>{t("shell.home")}</span> }];
  if (pathname === "/account") return [{ key: "account", content: <span>{t("shell.account")}</span> }];
  if (pathname === "/administration") {
    return [{ key: "administration", content: <span>{t("shell.administration")}</span> }];
  }
  if (pathname === "/core/search/index") return [{ key: "search", content: <span>{t("commands.search_page")}</span> }];
  if (pathname === "/core/workflows/my_work") return [{ key: "work", content: <span>{t("work.title")}</span> }];
  if (pathname === "/core/jobs/index") return [{ key: "jobs", content: <span>{t("jobs.title")}</span> }];
  if (pathname.startsWith("/metadata/record_types/")) {
    const all = (
      <Link to="/administration" search={{ part: "record_types" }}>
        {t("shell.record_types")}
      </Link>
    );
    return [
      { key: "administration", content: <Link to="/administration">{t("shell.administration")}</Link> },
      { key: "types", content: all },
    ];
  }
  const pending = [{ key: "pending", content: <Skeleton w={140} h={10} /> }];
  if (module === undefined || controller === undefined) {
    // The address is that of the next page already, and the page is still on its way.
    return isOnItsWay ? pending : [{ key: "nothing", content: <span>{t("states.not_found")}</span> }];
  }
  if (navigation.isPending) return pending;
  const group = navigation.data?.find((each) => each.name === module);
  const entry = group?.entries.find((each) => each.controller === controller);
  const isOfAdministration = ({ section }: { readonly section: string | null }) => section === "administration";
  // What is in no navigation (the audit log) is where its module is.
  const isSetUp = entry ? isOfAdministration(entry) : group?.entries.every(isOfAdministration);
  return [
    isSetUp
      ? { key: "module", content: <Link to="/administration">{t("shell.administration")}</Link> }
      : { key: "module", content: <span>{group?.label ?? module}</span> },
    {
      key: "type",
      content: (
        <Link to="/$module/$controller/index" params={{ module, controller }}>
          {entry?.label ?? schema.data?.recordType.plural ?? controller}
        </Link>
      ),
    },
    ...(pathname.endsWith("/about") ? [{ key: "about", content: <span>{t("about.crumb")}</span> }] : []),
    ...(pathname.endsWith("/import") ? [{ key: "import", content: <span>{t("shell.import")}</span> }] : []),
    ...(pathname.endsWith("/add") ? [{ key: "add", content: <span>{t("list.new")}</span> }] : []),
    ...(/\/(view|edit)$/.test(pathname) ? [{ key: "record", content: <span dir="auto">{name ?? "…"}</span> }] : []),
  ];
}
