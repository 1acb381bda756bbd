// One field in the list of a design: what it is called, its type, what holds for it; moved by its handle or its menu.
import { ActionIcon, Menu, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconDots, IconEye, IconEyeOff, IconLock, IconTrash } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { permission } from "../../../../contract/permissions.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { type OnDrop, useDragPlace } from "../../../parts/controls/drag-place.ts";
import { MoveHandle } from "../../../parts/controls/move-handle.tsx";
import { FaultCount } from "../../../parts/layout/fault-count.tsx";
import { Tag } from "../../../parts/layout/tag.tsx";
import classes from "../design.module.css";
import type { DraftField } from "./type-draft.ts";

interface FieldRowProps {
  readonly field: DraftField;
  readonly place: number;
  /** Of the fields that can be moved. */
  readonly first: number;
  readonly count: number;
  readonly isChosen: boolean;
  /** Records are called by it. */
  readonly isTitle: boolean;
  readonly faults: number;
  readonly onChoose: (id: string) => void;
  readonly onMove: OnDrop;
  /** Of a field that ships. */
  readonly onHide: (id: string, hide: boolean) => void;
  readonly onRemove: (id: string, place: number) => void;
  /** Below its line. */
  readonly children: ReactNode;
}

const list = "fields";

/** Drawn again only when something about this field changes: a letter that is typed of another one is not its concern. */
export const FieldRow = memo(function FieldRow(props: FieldRowProps) {
  const { field, place, first, count, isChosen, isTitle, faults, onChoose, onMove, onHide, onRemove, children } = props;
  const isBuiltIn = field.shipped !== undefined;
  const isHidden = field.permission === permission.DELETE;
  const { t } = useTranslation();
  const drag = useDragPlace({ kind: "field", place: { list, index: place }, onDrop: onMove });
  const step = (by: -1 | 1): void => {
    const to = place + by;
    if (to >= first && to < count) onMove({ list, index: place }, { list, index: by === 1 ? to + 1 : to });
  };
  const { icon: TypeIcon } = fieldTypes[field.type].design;
  const name = field.label || t("design.field_number", { place: place + 1 });
  return (
    <li
      ref={drag.row}
      className={classes.row}
      data-edge={drag.edge ?? undefined}
      data-dragged={drag.isDragged || undefined}
      data-chosen={isChosen || undefined}
    >
      <div className={classes.line} data-line>
        {isBuiltIn && (
          <span className={classes.fixed} aria-hidden="true">
            <IconLock size={14} stroke={1.6} />
          </span>
        )}
        <UnstyledButton
          className={classes.pick ?? ""}
          data-pick
          aria-expanded={isChosen}
          onClick={() => onChoose(field.id)}
        >
          <TypeIcon size={17} stroke={1.6} aria-hidden="true" />
          <span className={classes.words}>
            <span data-empty={field.label ? undefined : true}>{name}</span>
            <small>
              {field.computed && `${t(`design.computed.${field.computed.kind}`)} · `}
              {t(`field_types.${field.type}`)}
              {field.name !== "" && <code> · {field.name}</code>}
            </small>
          </span>
          <span className={classes.tags}>
            <FaultCount count={faults} />
            {isTitle && <Tag tone="strong">{t("design.is_title")}</Tag>}
            {field.required && <Tag>{t("about.flag_required")}</Tag>}
            {field.unique && <Tag>{t("design.unique_tag")}</Tag>}
            {isHidden && <Tag>{t("design.field_hidden")}</Tag>}
          </span>
        </UnstyledButton>
        {!isBuiltIn && <MoveHandle name={name} place={place} count={count} handle={drag.handle} onStep={step} />}
        <Menu position="bottom-end" width={180} shadow="md" withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={28} aria-label={t("design.field_menu", { name })}>
              <IconDots size={16} stroke={1.6} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {isBuiltIn ? (
              <Menu.Item
                leftSection={isHidden ? <IconEye size={16} stroke={1.6} /> : <IconEyeOff size={16} stroke={1.6} />}
                disabled={!isHidden && (isTitle || field.required === true)}
                onClick={() => onHide(field.id, !isHidden)}
              >
                {t(isHidden ? "design.field_show" : "design.field_hide")}
              </Menu.Item>
            ) : (
              <>
                <Menu.Item
                  leftSection={<IconArrowUp size={16} stroke={1.6} />}
                  disabled={place === first}
                  onClick={() => step(-1)}
                >
                  {t("move.up")}
                </Menu.Item>
                <Menu.Item
                  leftSection={<IconArrowDown size={16} stroke={1.6} />}
                  disabled={place === count - 1}
                  onClick={() => step(1)}
                >
                  {t("move.down")}
                </Menu.Item>
                <Menu.Divider />
                <Menu.Item
                  color="var(--mantine-color-error)"
                  leftSection={<IconTrash size={16} stroke={1.6} />}
                  disabled={count === 1}
                  onClick={() => onRemove(field.id, place)}
                >
                  {t("design.field_remove")}
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </div>
      {children}
    </li>
  );
});
