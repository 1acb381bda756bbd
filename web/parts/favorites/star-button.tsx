// Stars a record or a view, or takes the star off: one click.
import { ActionIcon } from "@mantine/core";
import { IconStar, IconStarFilled } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Favorite } from "../../../client/lists/favorites.ts";
import { useCommands } from "../commands/commands.ts";
import classes from "./star-button.module.css";
import { useChangeFavorites, useFavorites } from "./use-favorites.ts";

interface StarButtonProps {
  readonly favorite: Omit<Favorite, "key">;
}

export function StarButton({ favorite }: StarButtonProps) {
  const { t } = useTranslation();
  const { add, remove } = useChangeFavorites();
  const whole: Favorite = { ...favorite, key: `${favorite.controller}/${favorite.id}` };
  const isStarred = useFavorites().some(({ key }) => key === whole.key);
  const toggle = (): void => void (isStarred ? remove(whole) : add(whole));
  const label = t(isStarred ? "favorites.remove_named" : "favorites.add_named", {
    name: favorite.name ?? favorite.label,
  });
  useCommands([
    {
      id: "star",
      label,
      group: favorite.lists === null ? "record" : "list",
      icon: isStarred ? IconStarFilled : IconStar,
      run: toggle,
    },
  ]);
  const Icon = isStarred ? IconStarFilled : IconStar;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={30}
      className={classes.star ?? ""}
      data-starred={isStarred || undefined}
      aria-label={label}
      title={t(isStarred ? "favorites.remove" : "favorites.add")}
      onClick={toggle}
    >
      <Icon size={16} stroke={1.6} />
    </ActionIcon>
  );
}
