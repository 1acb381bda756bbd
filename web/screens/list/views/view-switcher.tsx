// Which saved view: by category, in the order that the service keeps.

import { Menu, UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { SavedView } from "../../../../client/lists/saved-views.ts";
import { isGeneratedView } from "../../../../contract/generated-view.ts";
import type { ViewKind } from "../../../../contract/view-kinds.ts";
import { savedViewsQuery } from "../../../queries.ts";
import { ViewIcon } from "../../../views/index.tsx";
import classes from "../list-screen.module.css";

type ListedView = Pick<SavedView, "id" | "name" | "kind" | "category" | "isDefault">;

interface ViewSwitcherProps {
  readonly recordTypeKey: string;
  readonly current: { readonly id: string; readonly name: string; readonly kind: ViewKind };
  readonly onChoose: (id: string) => void;
}

export function ViewSwitcher({ recordTypeKey, current, onChoose }: ViewSwitcherProps) {
  const { t } = useTranslation();
  const { data: saved = [] } = useQuery(savedViewsQuery(recordTypeKey));
  const made: ListedView = { ...current, category: null, isDefault: false };
  const views: readonly ListedView[] =
    saved.some(({ id }) => id === current.id) || !isGeneratedView(current.id) ? saved : [made, ...saved];
  return (
    <Menu position="bottom-start" width={264} shadow="md" offset={4} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={classes.switcher ?? ""} aria-label={t("list.view_named", { name: current.name })}>
          <ViewIcon kind={current.kind} />
          <span>{current.name}</span>
          <IconChevronDown size={13} stroke={2} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah="min(70dvh, 640px)" className={classes.views ?? ""}>
        <Menu.RadioGroup value={current.id} onChange={onChoose}>
          {byCategory(views).map(({ category, views: inside }) => (
            <div key={category ?? ""}>
              <Menu.Label>{category ?? t("list.views")}</Menu.Label>
              {inside.map((view) => (
                <Menu.RadioItem key={view.id} value={view.id} closeMenuOnClick>
                  <span className={classes.view}>
                    <ViewIcon kind={view.kind} />
                    <span>{view.name}</span>
                    {view.isDefault && <small>{t("list.default")}</small>}
                  </span>
                </Menu.RadioItem>
              ))}
            </div>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Neighbors of one category together; the order stays. */
function byCategory(views: readonly ListedView[]): readonly { category: string | null; views: ListedView[] }[] {
  const groups: { category: string | null; views: ListedView[] }[] = [];
  for (const view of views) {
    const group = groups.find(({ category }) => category === view.category);
    if (group) group.views.push(view);
    else groups.push({ category: view.category, views: [view] });
  }
  return groups;
}
