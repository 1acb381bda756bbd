// Everything of administration in groups, with a box to find it by: beside the open page, or a page of its own.
import { Button, Skeleton, TextInput } from "@mantine/core";
import {
  IconBuilding,
  IconClockPlay,
  IconDeviceDesktop,
  IconKey,
  IconLanguage,
  IconLayoutSidebar,
  IconListDetails,
  IconMailPlus,
  type IconProps,
  IconScript,
  IconSearch,
  IconShield,
  IconTable,
  IconTemplate,
  IconUsers,
  IconUsersGroup,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ComponentType, useState } from "react";
import { useTranslation } from "react-i18next";
import { NamedIcon } from "../../parts/layout/icon.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { navigationQuery } from "../../queries.ts";
import { type AdministrationItem, administrationItems } from "./administration-groups.ts";
import classes from "./administration-index.module.css";
import type { AdministrationPart } from "./administration-parts.ts";

const icons: Readonly<Record<AdministrationPart, ComponentType<IconProps>>> = {
  users: IconUsers,
  invitations: IconMailPlus,
  groups: IconUsersGroup,
  roles: IconShield,
  record_types: IconTable,
  navigation: IconLayoutSidebar,
  translations: IconLanguage,
  designs: IconTemplate,
  speed: IconClockPlay,
  organization: IconBuilding,
  license: IconScript,
  sessions: IconDeviceDesktop,
  api_keys: IconKey,
  audit: IconListDetails,
};

interface AdministrationIndexProps {
  readonly isAdministrator: boolean;
  /** The page that is open beside it. */
  readonly part: AdministrationPart | undefined;
}

export function AdministrationIndex({ isAdministrator, part }: AdministrationIndexProps) {
  const { t } = useTranslation();
  const navigation = useQuery(navigationQuery);
  const [wanted, setWanted] = useState("");
  const labelOf = (item: AdministrationItem): string =>
    item.kind === "list"
      ? item.entry.label
      : item.part === "record_types"
        ? t("shell.record_types")
        : t(`admin.part_${item.part}`);
  const words = wanted.trim().toLocaleLowerCase();
  const groups = administrationItems(navigation.data ?? [], isAdministrator)
    .map(({ group, items }) => ({
      group,
      label: t(`admin.group_${group}`),
      items: items.filter((item) =>
        `${labelOf(item)} ${t(`admin.group_${group}`)}`.toLocaleLowerCase().includes(words),
      ),
    }))
    .filter(({ items }) => items.length > 0);
  return (
    <nav className={classes.index} aria-label={t("admin.title")}>
      <TextInput
        size="xs"
        type="search"
        aria-label={t("admin.find")}
        placeholder={t("admin.find")}
        leftSection={<IconSearch size={14} stroke={1.8} aria-hidden="true" />}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <div className={classes.groups}>
        {groups.map(({ group, label, items }) => (
          <section key={group} aria-label={label}>
            <h2 className={classes.heading}>{label}</h2>
            <ul className={classes.list}>
              {items.map((item) => (
                <li key={item.kind === "part" ? item.part : item.entry.key}>
                  <Item item={item} label={labelOf(item)} open={part} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {navigation.isPending && (
        <div aria-busy="true">
          {["60%", "75%", "50%"].map((width) => (
            <Skeleton key={width} h={10} w={width} mx={8} my={20} />
          ))}
        </div>
      )}
      {navigation.isLoadingError && (
        <Notice tone="bad">
          {t("states.failed")}{" "}
          <Button size="compact-xs" variant="default" onClick={() => void navigation.refetch()}>
            {t("actions.retry")}
          </Button>
        </Notice>
      )}
      {navigation.isSuccess && groups.length === 0 && words !== "" && (
        <p className={classes.none}>{t("admin.none_found")}</p>
      )}
    </nav>
  );
}

interface ItemProps {
  readonly item: AdministrationItem;
  readonly label: string;
  readonly open: AdministrationPart | undefined;
}

function Item({ item, label, open }: ItemProps) {
  if (item.kind === "list") {
    const { module, controller, icon } = item.entry;
    return (
      <Link to="/$module/$controller/index" params={{ module, controller }} className={classes.item}>
        <NamedIcon name={icon} />
        <span>{label}</span>
      </Link>
    );
  }
  const Icon = icons[item.part];
  const isOpen = item.part === open;
  return (
    <Link
      to="/administration"
      search={{ part: item.part }}
      className={classes.item}
      data-chosen={isOpen || undefined}
      aria-current={isOpen ? "page" : undefined}
    >
      <Icon size={16} stroke={1.6} aria-hidden="true" />
      <span>{label}</span>
    </Link>
  );
}
