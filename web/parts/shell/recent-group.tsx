// The records that were opened last, a few; a favorite stands among the favorites already.
import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { navigationQuery } from "../../queries.ts";
import { useFavorites } from "../favorites/use-favorites.ts";
import { useRecentRecords } from "../recent-records.ts";
import { NavGroup } from "./nav-group.tsx";
import classes from "./navigation.module.css";
import { RecordMark } from "./record-mark.tsx";

const SHOWN = 5;

export function RecentGroup() {
  const { t } = useTranslation();
  const starred = new Set(useFavorites().map(({ key }) => key));
  const records = useRecentRecords().filter(({ key, id }) => !starred.has(`${key}/${id}`));
  const { data: navigation = [] } = useQuery(navigationQuery);
  const here = useRouterState({ select: ({ location }) => location.href });
  if (records.length === 0) return null;
  const entries = navigation.flatMap((module) => module.entries);
  return (
    <NavGroup name="recent" label={t("shell.recent")} folded={false}>
      {records.slice(0, SHOWN).map(({ key, id, name }) => {
        const href = `/${key}/view?id=${encodeURIComponent(id)}`;
        return (
          <li key={`${key}/${id}`}>
            <Link
              to={href}
              className={classes.item}
              data-record
              data-chosen={here === href || undefined}
              aria-current={here === href ? "page" : undefined}
            >
              <RecordMark name={name} icon={entries.find((entry) => entry.key === key)?.icon} />
              <span dir="auto" title={name}>
                {name}
              </span>
            </Link>
          </li>
        );
      })}
    </NavGroup>
  );
}
