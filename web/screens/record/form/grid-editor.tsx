// Children that belong to the record, as a table to fill in: add, change and remove rows; one save takes them all.
// Enter goes down a row, and makes a new one at the end.
import { ActionIcon, Button } from "@mantine/core";
import { IconArrowBackUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { type KeyboardEvent, memo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { FieldRule, FormElement, WireChild, WireValue } from "../../../../client/records/records.ts";
import { permission } from "../../../../contract/permissions.ts";
import table from "../../../parts/layout/table.module.css";
import { emptyRow, isRemoved, rowKey, withCell, withoutRow, withRowBack } from "./child-rows.ts";
import type { FieldErrors } from "./form-errors.ts";
import { fieldName } from "./form-rules.ts";
import { GridCell } from "./grid-cell.tsx";
import classes from "./grid-editor.module.css";
import type { Change } from "./use-draft.ts";
import { useTakenOverRow } from "./use-taken-over.ts";

interface GridEditorProps {
  /** Of the record that the rows belong to. */
  readonly recordTypeKey: string;
  readonly element: FormElement;
  readonly rows: readonly WireChild[];
  readonly rules: Readonly<Record<string, readonly FieldRule[]>>;
  readonly errors: FieldErrors;
  readonly onChange: (field: string, change: Change) => void;
}

export const GridEditor = memo(function GridEditor(props: GridEditorProps) {
  const { recordTypeKey, element, rows, rules, errors } = props;
  const onChange = (next: readonly WireChild[]): void => props.onChange(fieldName(element), { value: next });
  const { t } = useTranslation();
  const box = useRef<HTMLFieldSetElement>(null);
  const columns = (element.children ?? []).filter((column) => column.permission !== permission.DELETE);
  const singular = element.singular ?? element.label;
  const focusCell = (row: number, column: number): void =>
    box.current
      ?.querySelector<HTMLElement>(
        `[data-row="${row}"] [data-column="${column}"] :is(input:not([type=hidden]), textarea, button)`,
      )
      ?.focus();
  const add = (column = 0): void => {
    onChange([...rows, emptyRow(columns)]);
    // Once it is there.
    setTimeout(() => focusCell(rows.length, column));
  };
  const change = (key: string, next: (row: WireChild) => WireChild): void =>
    onChange(rows.map((row) => (rowKey(row) === key ? next(row) : row)));
  const down = (event: KeyboardEvent, row: number, column: number): void => {
    // Enter that took an option is done.
    if (event.key !== "Enter" || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
    if (!(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    if (row + 1 < rows.length) focusCell(row + 1, column);
    else add(column);
  };
  return (
    <fieldset ref={box} className={classes.grid} data-field={element.__name}>
      <legend className="visually-hidden">{element.label}</legend>
      {rows.length > 0 && (
        <div className={classes.scroll}>
          <table className={`${table.table} ${classes.table}`}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.__name} scope="col" title={column.help ?? undefined}>
                    {column.label}
                    {column.not_empty === "1" && (
                      <span className={classes.star} aria-hidden="true">
                        *
                      </span>
                    )}
                  </th>
                ))}
                <th scope="col">
                  <span className="visually-hidden">{t("record.row_actions")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => {
                const key = rowKey(row);
                const removed = isRemoved(row);
                const called = { label: singular, number: index + 1 };
                return (
                  <tr key={key} data-row={index} data-removed={removed || undefined}>
                    <RowCells
                      {...{ recordTypeKey, element, columns, row, index, rules, errors }}
                      onKeyDown={(event, place) => down(event, index, place)}
                      onChange={(name, value, text) => change(key, (one) => withCell(one, name, value, text))}
                    />
                    <td className={classes.action}>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={t(removed ? "record.put_back" : "record.remove_row", called)}
                        title={t(removed ? "record.put_back" : "record.remove_row", called)}
                        onClick={() => onChange(removed ? withRowBack(rows, key) : withoutRow(rows, key))}
                      >
                        {removed ? <IconArrowBackUp size={16} stroke={1.6} /> : <IconTrash size={16} stroke={1.6} />}
                      </ActionIcon>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={14} stroke={1.8} aria-hidden="true" />}
        onClick={() => add()}
      >
        {t("record.add_row", { label: singular })}
      </Button>
    </fieldset>
  );
});

interface RowCellsProps extends Omit<GridEditorProps, "rows" | "onChange"> {
  readonly columns: readonly FormElement[];
  readonly row: WireChild;
  readonly index: number;
  readonly onKeyDown: (event: KeyboardEvent, place: number) => void;
  readonly onChange: (name: string, value: WireValue, text?: string | null) => void;
}

function RowCells({ recordTypeKey, element, columns, row, index, rules, errors, ...props }: RowCellsProps) {
  const key = rowKey(row);
  const shown = useTakenOverRow(recordTypeKey, fieldName(element), columns, row);
  return columns.map((column, place) => {
    const name = fieldName(column);
    return (
      <td
        key={column.__name}
        data-column={place}
        data-label={column.label}
        data-field={`${element.__name}.${key}.${name}`}
        onKeyDown={(event) => props.onKeyDown(event, place)}
      >
        <GridCell
          column={column}
          row={shown}
          number={index + 1}
          isEdited={!isRemoved(row) && column.permission === permission.EDIT}
          rules={rules[`${fieldName(element)}.${name}`] ?? []}
          errors={errors[`${element.__name}.${key}.${name}`] ?? []}
          onChange={(value, text) => props.onChange(name, value, text)}
        />
      </td>
    );
  });
}
