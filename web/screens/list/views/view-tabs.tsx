// The views of a record type as tabs: links, as many as there is room for, and a menu with all of them. In little room the
// menu alone, which says which one is shown.
import { UnstyledButton } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { isGeneratedView } from "../../../../contract/generated-view.ts";
import type { ViewKind } from "../../../../contract/view-kinds.ts";
import { useCommands } from "../../../parts/commands/commands.ts";
import { useFavorites } from "../../../parts/favorites/use-favorites.ts";
import { useWords } from "../../../parts/use-words.ts";
import { savedViewsQuery } from "../../../queries.ts";
import { ViewIcon } from "../../../views/index.tsx";
import { inTabOrder, type ListedView, tabsThatFit } from "./tab-order.ts";
import { ViewSwitcher } from "./view-switcher.tsx";
import classes from "./view-tabs.module.css";
import { noteUse, readUses } from "./view-uses.ts";

interface ViewTabsProps {
  readonly recordTypeKey: string;
  readonly current: { readonly id: string; readonly name: string; readonly kind: ViewKind };
  readonly onChoose: (id: string) => void;
  readonly onNew: () => void;
}

/** What the menu and the button at the end take. */
const END_ROOM = 84;

export function ViewTabs({ recordTypeKey, current, onChoose, onNew }: ViewTabsProps) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize<HTMLElement>();
  const { data: saved } = useQuery(savedViewsQuery(recordTypeKey));
  // Tabs do not change their places while one works with them.
  const [uses] = useState(() => readUses(recordTypeKey));
  useEffect(() => noteUse(recordTypeKey, current.id), [recordTypeKey, current.id]);
  useCommands([{ id: "list-new-view", label: t("views.new"), group: "list", icon: IconPlus, run: onNew }]);
  const made: ListedView = { ...current, category: null, isDefault: false };
  const known = saved ?? [];
  const words = useWords();
  const listed: readonly ListedView[] =
    known.some(({ id }) => id === current.id) || (saved !== undefined && !isGeneratedView(current.id))
      ? known
      : [made, ...known];
  const views = listed.map((view) => ({
    ...view,
    name: words(view.name),
    category: view.category && words(view.category),
  }));
  const starred = useFavorites().flatMap(({ controller, id }) => (controller === "core/listviews" ? [id] : []));
  const tabs = tabsThatFit(inTabOrder(views, starred, uses), current.id, width - END_ROOM);
  return (
    <nav ref={ref} className={classes.views} aria-label={t("views.title")}>
      <ul className={classes.tabs}>
        {tabs.map((view) => (
          <li key={view.id}>
            <a
              href={`/${recordTypeKey}/index?view=${encodeURIComponent(view.id)}`}
              className={classes.tab}
              aria-current={view.id === current.id ? "page" : undefined}
              title={view.name}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
                event.preventDefault();
                if (view.id !== current.id) onChoose(view.id);
              }}
            >
              <ViewIcon kind={view.kind} />
              <span>{view.name}</span>
            </a>
          </li>
        ))}
      </ul>
      <ViewSwitcher {...{ views, current, onChoose }} more={Math.max(0, views.length - tabs.length)} />
      <UnstyledButton className={classes.new ?? ""} aria-label={t("views.new")} title={t("views.new")} onClick={onNew}>
        <IconPlus size={15} stroke={1.8} aria-hidden="true" />
      </UnstyledButton>
    </nav>
  );
}
