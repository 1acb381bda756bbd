// A person's favorites in the navigation: dragged into another order, or moved and removed by a menu (keyboard, touch).
import { ActionIcon, Menu } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconDots, IconStarOff } from "@tabler/icons-react";
import { Link, useRouterState } from "@tanstack/react-router";
import { type DragEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Favorite } from "../../../client/lists/favorites.ts";
import { useChangeFavorites, useFavorites } from "../favorites/use-favorites.ts";
import { NamedIcon } from "../layout/icon.tsx";
import { NavGroup, Rail } from "./nav-group.tsx";
import classes from "./navigation.module.css";
import { RecordMark } from "./record-mark.tsx";

const look = { size: 16, stroke: 1.6 } as const;

export function FavoritesGroup({ folded }: { readonly folded: boolean }) {
  const { t } = useTranslation();
  const favorites = useFavorites();
  const { arrange, remove } = useChangeFavorites();
  const [dragged, setDragged] = useState<string>();
  const [over, setOver] = useState<string>();
  if (favorites.length === 0) return null;
  const move = (key: string, to: number): void => {
    const moved = favorites.find((one) => one.key === key);
    if (moved === undefined) return;
    const next = favorites.filter((one) => one !== moved).toSpliced(to, 0, moved);
    if (next.some((one, index) => one !== favorites[index])) void arrange(next);
  };
  const dragging = (favorite: Favorite, index: number) => ({
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = "move";
      setDragged(favorite.key);
    },
    onDragOver: (event: DragEvent) => {
      if (dragged === undefined) return;
      event.preventDefault();
      setOver(favorite.key);
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      if (dragged !== undefined) move(dragged, index);
    },
    onDragEnd: () => {
      setDragged(undefined);
      setOver(undefined);
    },
  });
  return (
    <NavGroup name="favorites" label={t("favorites.title")} folded={folded}>
      {favorites.map((favorite, index) => {
        const name = favorite.name ?? favorite.label;
        const from = favorites.findIndex(({ key }) => key === dragged);
        const edge = over === favorite.key && from !== index ? (from < index ? "end" : "start") : undefined;
        return (
          <li key={favorite.key} className={classes.row} data-edge={edge} {...dragging(favorite, index)}>
            <Rail label={name} folded={folded}>
              <FavoriteLink favorite={favorite} name={name} folded={folded} />
            </Rail>
            {!folded && (
              <Menu position="bottom-end" width={200} shadow="md" withInitialFocusPlaceholder={false}>
                <Menu.Target>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={22}
                    className={classes.more ?? ""}
                    aria-label={t("favorites.more", { name })}
                  >
                    <IconDots size={14} stroke={1.6} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item
                    leftSection={<IconArrowUp {...look} />}
                    disabled={index === 0}
                    onClick={() => move(favorite.key, index - 1)}
                  >
                    {t("favorites.up")}
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<IconArrowDown {...look} />}
                    disabled={index === favorites.length - 1}
                    onClick={() => move(favorite.key, index + 1)}
                  >
                    {t("favorites.down")}
                  </Menu.Item>
                  <Menu.Divider />
                  <Menu.Item leftSection={<IconStarOff {...look} />} onClick={() => void remove(favorite)}>
                    {t("favorites.remove")}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </li>
        );
      })}
    </NavGroup>
  );
}

interface FavoriteLinkProps {
  readonly favorite: Favorite;
  readonly name: string;
  readonly folded: boolean;
}

function FavoriteLink({ favorite: { controller, id, icon, label, lists }, name, folded, ...rest }: FavoriteLinkProps) {
  const href =
    lists === null
      ? `/${controller}/view?id=${encodeURIComponent(id)}`
      : `/${lists}/index?view=${encodeURIComponent(id)}`;
  const chosen = useRouterState({ select: ({ location }) => location.href === href });
  return (
    <Link
      {...rest}
      to={href}
      className={classes.item}
      draggable={false}
      data-chosen={chosen || undefined}
      aria-current={chosen ? "page" : undefined}
      aria-label={`${name}, ${label}`}
    >
      {lists === null ? <RecordMark name={name} icon={icon} /> : <NamedIcon name={icon} />}
      {!folded && (
        <span dir="auto" title={`${name} · ${label}`}>
          {name}
        </span>
      )}
    </Link>
  );
}
