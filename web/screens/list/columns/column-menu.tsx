// What can be done with one column, for pointer and keyboard alike.
import { Menu } from "@mantine/core";
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconEyeOff,
  IconFilter,
  IconPin,
  IconPinnedOff,
  IconStack2,
  IconSum,
  IconTableMinus,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { isGroupable } from "../group/grouping.ts";
import classes from "../table/table.module.css";
import type { Column } from "./columns.ts";
import type { ColumnActions } from "./head-actions.ts";

interface ColumnMenuProps {
  readonly column: Column;
  readonly columns: readonly Column[];
  readonly actions: ColumnActions;
  readonly onSort: (column: Column, descending?: boolean) => void;
  readonly onClose: () => void;
}

const look = { size: 15, stroke: 1.6 } as const;

export function ColumnMenu({ column, columns, actions, onSort, onClose }: ColumnMenuProps) {
  const { t } = useTranslation();
  const index = columns.indexOf(column);
  const [left, right] = [columns[index - 1], columns[index + 1]];
  const { isPinned } = column;
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      width={208}
      shadow="md"
      offset={2}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <span className={classes.menuAnchor} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t("columns.menu", { label: column.label })}>
        {column.sort !== undefined && (
          <>
            <Menu.Item leftSection={<IconArrowUp {...look} />} onClick={() => onSort(column, false)}>
              {t("columns.ascending")}
            </Menu.Item>
            <Menu.Item leftSection={<IconArrowDown {...look} />} onClick={() => onSort(column, true)}>
              {t("columns.descending")}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        {column.own && (
          <>
            <Menu.Item leftSection={<IconFilter {...look} />} onClick={() => actions.filter(column)}>
              {t("columns.filter")}
            </Menu.Item>
            {isGroupable(column.own) && (
              <>
                <Menu.Item leftSection={<IconStack2 {...look} />} onClick={() => actions.section(column)}>
                  {t("columns.group")}
                </Menu.Item>
                <Menu.Item leftSection={<IconTableMinus {...look} />} onClick={() => actions.group(column)}>
                  {t("columns.summarize")}
                </Menu.Item>
              </>
            )}
          </>
        )}
        {column.canTotal && (
          <Menu.Item
            leftSection={<IconSum {...look} />}
            onClick={() => actions.total(column, column.total === undefined)}
          >
            {t(column.total === undefined ? "columns.total_on" : "columns.total_off")}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={isPinned ? <IconPinnedOff {...look} /> : <IconPin {...look} />}
          onClick={() => actions.pin(column, !isPinned)}
        >
          {t(isPinned ? "columns.unpin" : "columns.pin")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconArrowLeft {...look} className={classes.turned} />}
          disabled={left === undefined}
          onClick={() => actions.move(column, left)}
        >
          {t("columns.earlier")}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowRight {...look} className={classes.turned} />}
          disabled={right === undefined}
          onClick={() => actions.move(column, columns[index + 2])}
        >
          {t("columns.later")}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconEyeOff {...look} />}
          disabled={columns.length === 1}
          onClick={() => actions.hide(column)}
        >
          {t("columns.hide")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
