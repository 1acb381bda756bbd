// "Sorted by Created, newest first": the order of a list, in sight, with what adds to it, turns it and takes it off.
import { CloseButton, Popover, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema, SchemaField } from "../../../../client/design/record-types.ts";
import type { ListHeader } from "../../../../client/lists/lists.ts";
import { useFoundFields } from "../../../fields/filter/use-found-fields.ts";
import { fieldTitle } from "../../../fields/paths/field-path.ts";
import { FieldPicker } from "../../../fields/paths/field-picker.tsx";
import classes from "../list-tools.module.css";
import type { ViewDraft } from "../views/use-view-draft.ts";
import { directionWords, type SortBy, writeOrder } from "./order.ts";

const MOST_SORTS = 5;

interface SortControlProps {
  readonly schema: RecordTypeSchema;
  readonly draft: ViewDraft;
  readonly order: readonly SortBy[];
  /** The columns of the list: a view may call them by names of its own. */
  readonly header: readonly ListHeader[];
}

const isSortable = ({ sortable }: SchemaField): boolean => sortable;

export function SortControl({ schema, draft, order, header }: SortControlProps) {
  const { t } = useTranslation();
  const { key } = schema.recordType;
  const found = useFoundFields(
    key,
    order.map(({ column }) => column),
  );
  const titleOf = ({ column }: SortBy): string => {
    const field = found.get(column);
    const called = header.find(({ column_name }) => column_name === column)?.label;
    return called ?? (field ? fieldTitle(field) : column);
  };
  const wordsOf = ({ column, descending }: SortBy): string =>
    t(`sort.${directionWords(found.get(column)?.field.type)}.${descending ? "down" : "up"}`);
  const put = (next: readonly SortBy[]): void => draft.order(next.map(writeOrder));
  const [first] = order;
  const shown = first && t("sort.short", { field: titleOf(first), direction: wordsOf(first) });
  const label = first ? t("sort.by", { field: titleOf(first), direction: wordsOf(first) }) : t("sort.button");
  return (
    <Popover position="bottom-end" width={320} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton
          className={classes.tool ?? ""}
          disabled={!draft.isReady}
          aria-label={order.length > 1 ? t("sort.by_more", { label, count: order.length - 1 }) : label}
          title={label}
          data-sort
        >
          {first === undefined ? (
            <IconArrowsSort size={15} stroke={1.6} aria-hidden="true" />
          ) : first.descending ? (
            <IconArrowDown size={15} stroke={1.6} aria-hidden="true" />
          ) : (
            <IconArrowUp size={15} stroke={1.6} aria-hidden="true" />
          )}
          <span>{shown ?? t("sort.button")}</span>
          {order.length > 1 && <small>+{order.length - 1}</small>}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label={t("sort.button")}>
        {order.length > 0 && (
          <ol className={classes.sorts}>
            {order.map((by, index) => (
              <li key={by.column}>
                <span className={classes.sortField}>{titleOf(by)}</span>
                <UnstyledButton
                  className={classes.turn ?? ""}
                  aria-label={t("sort.turn", { field: titleOf(by), direction: wordsOf(by) })}
                  onClick={() =>
                    put(order.map((one, at) => (at === index ? { ...one, descending: !one.descending } : one)))
                  }
                >
                  {by.descending ? (
                    <IconArrowDown size={14} stroke={1.8} aria-hidden="true" />
                  ) : (
                    <IconArrowUp size={14} stroke={1.8} aria-hidden="true" />
                  )}
                  {wordsOf(by)}
                </UnstyledButton>
                <CloseButton
                  size="sm"
                  aria-label={t("sort.remove", { field: titleOf(by) })}
                  onClick={() => put(order.filter((_, at) => at !== index))}
                />
              </li>
            ))}
          </ol>
        )}
        {order.length < MOST_SORTS && (
          <FieldPicker
            recordTypeKey={key}
            label={t("sort.add")}
            title={undefined}
            withinPortal={false}
            offers={isSortable}
            button={
              <>
                <IconPlus size={14} stroke={1.8} aria-hidden="true" />
                {t("sort.add")}
              </>
            }
            onChoose={({ column, field }) =>
              put([
                ...order.filter((by) => by.column !== column),
                { column, descending: directionWords(field.type) === "days" },
              ])
            }
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
