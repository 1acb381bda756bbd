// What can be done with a tile: its size, its place among the others, and to take it off. Drawn again only when one of them changes.
import { ActionIcon, Menu } from "@mantine/core";
import { IconArrowLeft, IconArrowRight, IconDots, IconPinnedOff } from "@tabler/icons-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { type TileSize, tileSizes } from "../../../client/lists/dashboard.ts";
import classes from "./dashboard.module.css";

interface TileMenuProps {
  readonly id: string;
  readonly name: string;
  readonly size: TileSize;
  /** Among those that it stands with. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onShift: (id: string, step: -1 | 1) => void;
  readonly onResize: (id: string, size: TileSize) => void;
  readonly onUnpin: (id: string) => void;
}

export const TileMenu = memo(function TileMenu(props: TileMenuProps) {
  const { id, name, size, isFirst, isLast, onShift, onResize, onUnpin } = props;
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" shadow="md" width={190} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={26} aria-label={t("dashboard.menu", { name })}>
          <IconDots size={16} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("dashboard.size")}</Menu.Label>
        <Menu.RadioGroup
          value={size}
          onChange={(value) => onResize(id, tileSizes.find((one) => one === value) ?? "small")}
        >
          {tileSizes.map((one) => (
            <Menu.RadioItem key={one} value={one} closeMenuOnClick>
              {t(`dashboard.sizes.${one}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconArrowLeft size={16} stroke={1.6} className={classes.arrow} />}
          disabled={isFirst}
          onClick={() => onShift(id, -1)}
        >
          {t("dashboard.earlier")}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowRight size={16} stroke={1.6} className={classes.arrow} />}
          disabled={isLast}
          onClick={() => onShift(id, 1)}
        >
          {t("dashboard.later")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconPinnedOff size={16} stroke={1.6} />} onClick={() => onUnpin(id)}>
          {t("dashboard.unpin")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
});
