// Builds a condition: rows of field, comparison and value, all or any of which must hold; or its text, for what rows cannot
// show. What is wrong with a text is said as it is typed.
import { ActionIcon, Button, MultiSelect, TagsInput, Textarea } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import { parseCondition } from "../../../../contract/conditions.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { elementOf } from "../../../fields/inputs/field-element.ts";
import { LateSelect } from "../../../parts/controls/late-select.tsx";
import { writeFormula } from "../../../texts/write-formula.ts";
import classes from "./condition-input.module.css";
import {
  type ConditionRow,
  type ConditionRows,
  noRows,
  readRows,
  rowOperators,
  takesMany,
  takesNone,
  writeRows,
} from "./condition-rows.ts";

interface ConditionInputProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly value: string | undefined;
  readonly fields: readonly SchemaField[];
  readonly error?: string | undefined;
  readonly onChange: (text: string | undefined) => void;
}

export function ConditionInput({ label, help, value, fields, error, onChange }: ConditionInputProps) {
  const { t, i18n } = useTranslation();
  const id = useId();
  const read = readRows(value);
  const [isText, setText] = useState(read === undefined);
  // Rows that are not complete yet are in no text.
  const [rows, setRows] = useState<ConditionRows>(read ?? noRows);
  useEffect(() => {
    const next = readRows(value);
    setRows((before) => (next === undefined || writeRows(before) === value ? before : next));
    if (next === undefined) setText(true);
  }, [value]);
  const place = useRef<HTMLFieldSetElement>(null);
  const put = (next: ConditionRows): void => {
    setRows(next);
    onChange(writeRows(next));
  };
  /** A new row is filled in next; what stood in a removed one had the focus. */
  const goOn = (to: "last row" | "more"): void =>
    void setTimeout(() => {
      const parts = place.current?.querySelectorAll<HTMLElement>(to === "more" ? `.${classes.more} button` : "li");
      const part = to === "more" ? parts?.[0] : parts?.[parts.length - 1]?.querySelector("input");
      part?.focus();
    });
  const parsed = value === undefined ? undefined : parseCondition(value);
  const fault = error ?? (parsed && !parsed.ok ? writeFormula(parsed.error, i18n.language) : undefined);
  return (
    <fieldset className={classes.condition} ref={place}>
      <legend>{label}</legend>
      {help !== undefined && <p className={classes.help}>{help}</p>}
      {isText ? (
        <Textarea
          size="xs"
          autosize
          minRows={1}
          id={id}
          aria-label={label}
          placeholder='status = "lost" and amount > 1000'
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          value={value ?? ""}
          error={fault}
          onChange={(event) =>
            onChange(event.currentTarget.value.trim() === "" ? undefined : event.currentTarget.value)
          }
        />
      ) : (
        <>
          {rows.rows.length > 1 && (
            <LateSelect
              size="xs"
              mb={6}
              allowDeselect={false}
              aria-label={t("conditions.join")}
              data={(["and", "or"] as const).map((join) => ({ value: join, label: t(`conditions.joins.${join}`) }))}
              value={rows.join}
              onChange={(join) => put({ ...rows, join: join === "or" ? "or" : "and" })}
            />
          )}
          <ul className={classes.rows}>
            {rows.rows.map((row, index) => (
              <Row
                // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name than their place
                key={index}
                row={row}
                fields={fields}
                onChange={(next) => {
                  put({ ...rows, rows: rows.rows.flatMap((one, at) => (at === index ? (next ?? []) : [one])) });
                  if (next === undefined) goOn("more");
                }}
              />
            ))}
          </ul>
          {fault !== undefined && <p className={classes.error}>{fault}</p>}
        </>
      )}
      <div className={classes.more}>
        {!isText && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconPlus size={13} aria-hidden="true" />}
            onClick={() => {
              put({ ...rows, rows: [...rows.rows, { field: "", operator: "=", values: [] }] });
              goOn("last row");
            }}
          >
            {t("conditions.add")}
          </Button>
        )}
        {(isText ? read !== undefined : rows.rows.length > 0) && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setText(!isText)}>
            {t(isText ? "conditions.as_rows" : "conditions.as_text")}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

interface RowProps {
  readonly row: ConditionRow;
  readonly fields: readonly SchemaField[];
  readonly onChange: (row: ConditionRow | undefined) => void;
}

function Row({ row, fields, onChange }: RowProps) {
  const { t } = useTranslation();
  const id = useId();
  const field = fields.find(({ name }) => name === row.field);
  const title = field?.label ?? row.field;
  return (
    <li className={classes.row}>
      <LateSelect
        size="xs"
        searchable
        selectFirstOptionOnChange
        allowDeselect={false}
        aria-label={t("conditions.field")}
        placeholder={t("conditions.field")}
        data={[
          ...fields.map(({ name, label }) => ({ value: name, label })),
          ...(field || row.field === "" ? [] : [{ value: row.field, label: row.field }]),
        ]}
        value={row.field || null}
        onChange={(name) => onChange({ ...row, field: name ?? "", values: [] })}
      />
      <LateSelect
        size="xs"
        allowDeselect={false}
        aria-label={t("conditions.operator", { field: title })}
        data={rowOperators.map((operator) => ({ value: operator, label: t(`comparisons.operators.${operator}`) }))}
        value={row.operator}
        onChange={(next) => {
          const operator = rowOperators.find((one) => one === next) ?? "=";
          onChange({ ...row, operator, values: takesMany(operator) ? row.values : row.values.slice(0, 1) });
        }}
      />
      {!takesNone(row.operator) && (
        <div className={classes.value}>
          <Value id={id} row={row} field={field} label={t("conditions.value", { field: title })} onChange={onChange} />
        </div>
      )}
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={t("conditions.remove", { field: title })}
        onClick={() => onChange(undefined)}
      >
        <IconX size={14} />
      </ActionIcon>
    </li>
  );
}

interface ValueProps extends Pick<RowProps, "row" | "onChange"> {
  readonly id: string;
  readonly field: SchemaField | undefined;
  readonly label: string;
}

/** With those that the condition names and the field no longer has. */
const optionsOf = ({ options }: SchemaField, values: readonly string[]) => [
  ...(options ?? []).map(({ value, label }) => ({ value, label })),
  ...values.filter((value) => !options?.some((one) => one.value === value)),
];

function Value({ id, row, field, label, onChange }: ValueProps) {
  const put = (values: readonly string[]): void => onChange({ ...row, values });
  if (takesMany(row.operator) && field?.options) {
    return (
      <MultiSelect
        id={id}
        size="xs"
        aria-label={label}
        data={optionsOf(field, row.values)}
        value={[...row.values]}
        onChange={put}
      />
    );
  }
  if (takesMany(row.operator)) {
    return <TagsInput id={id} size="xs" aria-label={label} value={[...row.values]} onChange={put} />;
  }
  const { Input } = fieldTypes[field?.type ?? "short-text"];
  if (Input === undefined) return null;
  const element = field
    ? { ...elementOf(field), not_empty: "0" as const }
    : {
        name: [],
        __name: row.field,
        label,
        template: "input",
        method: "text",
        permission: 2 as const,
        not_empty: "0" as const,
      };
  return (
    <Input
      element={element}
      id={id}
      name={label}
      value={row.values[0] ?? null}
      error={undefined}
      describedBy={undefined}
      onChange={(value) => put(typeof value === "string" ? [value] : [])}
    />
  );
}
