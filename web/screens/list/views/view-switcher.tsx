// All saved views of a record type in a menu that is searched: by category, in the order that the service keeps.
import { Menu, TextInput, UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ViewIcon } from "../../../views/index.tsx";
import type { ListedView } from "./tab-order.ts";
import classes from "./view-tabs.module.css";

/** Fewer are seen at a glance. */
const SEARCHED_FROM = 8;

interface ViewSwitcherProps {
  readonly views: readonly ListedView[];
  readonly current: Pick<ListedView, "id" | "name" | "kind">;
  /** How many have no tab. */
  readonly more: number;
  readonly onChoose: (id: string) => void;
}

export function ViewSwitcher({ views, current, more, onChoose }: ViewSwitcherProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLocaleLowerCase();
  const found = views.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  return (
    <Menu
      position="bottom-start"
      width={264}
      shadow="md"
      offset={4}
      withInitialFocusPlaceholder={false}
      opened={opened}
      onChange={(next) => {
        setOpened(next);
        setSearch("");
      }}
    >
      <Menu.Target>
        <UnstyledButton className={classes.more ?? ""} aria-label={t("list.view_named", { name: current.name })}>
          <b>{current.name}</b>
          <span>{more === 0 ? t("views.all_short") : t("views.more", { count: more })}</span>
          <IconChevronDown size={13} stroke={2} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah="min(70dvh, 640px)" className={classes.list ?? ""}>
        {views.length >= SEARCHED_FROM && (
          <TextInput
            size="xs"
            mb={4}
            data-autofocus
            value={search}
            aria-label={t("views.search")}
            placeholder={t("views.search")}
            onChange={(event) => setSearch(event.currentTarget.value)}
            onKeyDown={(event) => {
              const [first] = found;
              if (event.key !== "Enter" || wanted === "" || first === undefined) return;
              event.preventDefault();
              setOpened(false);
              onChoose(first.id);
            }}
          />
        )}
        <Menu.RadioGroup value={current.id} onChange={onChoose}>
          {byCategory(found).map(({ category, views: inside }) => (
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
        {found.length === 0 && <Menu.Label>{t("views.none")}</Menu.Label>}
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
