// One field of a form: its label, and its value or its input in the same place.
import { Text } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { FormElement, WireRecord, WireValue } from "../../../client/records.ts";
import { fieldInputs } from "../../fields/field-input.tsx";
import { fieldValue } from "../../fields/field-value.tsx";
import { useFormats } from "../../fields/formats.ts";
import { fieldName } from "./form-rules.ts";
import classes from "./record.module.css";
import type { Change } from "./use-draft.ts";

interface RecordFieldProps {
  readonly element: FormElement;
  readonly record: WireRecord;
  readonly change: Change | undefined;
  readonly isEdited: boolean;
  readonly errors: readonly string[];
  readonly onChange: (field: string, change: Change) => void;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

export function RecordField({ element, record, change, isEdited, errors, onChange }: RecordFieldProps) {
  const id = useId();
  const name = fieldName(element);
  const stored = record[name];
  const value = change ? change.value : Array.isArray(stored) ? null : ((stored ?? null) as WireValue);
  const text = change && "text" in change ? change.text : textOf(record[`__${name}`]);
  const Input = isEdited && element.type !== undefined ? fieldInputs[element.type] : undefined;
  const helpId = element.help && Input ? `${id}-help` : undefined;
  const wide = element.template === "textarea" || undefined;
  return (
    <div className={classes.field} data-wide={wide} data-refused={errors.length > 0 || undefined}>
      <label className={classes.label} htmlFor={Input && id} id={`${id}-label`}>
        {element.label}
        {Input && element.not_empty === 1 && (
          <span className={classes.star} aria-hidden="true">
            *
          </span>
        )}
      </label>
      <div className={classes.value}>
        {Input ? (
          <>
            <Input
              element={element}
              id={id}
              value={typeof value === "string" ? value : ""}
              text={text}
              error={errors.length > 0 ? errors.join(" ") : undefined}
              describedBy={helpId}
              onChange={(next, called) =>
                onChange(name, called === undefined ? { value: next } : { value: next, text: called })
              }
            />
            {helpId && (
              <Text id={helpId} size="xs" c="dimmed" mt={4}>
                {element.help}
              </Text>
            )}
          </>
        ) : (
          <StoredValue element={element} record={record} value={value} text={text} />
        )}
      </div>
    </div>
  );
}

interface StoredValueProps {
  readonly element: FormElement;
  readonly record: WireRecord;
  readonly value: WireValue;
  readonly text?: string | undefined | null;
}

export function StoredValue({ element, record, value, text }: StoredValueProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const plain = typeof value === "object" && value !== null ? Object.values(value).filter(Boolean).join(", ") : value;
  if (!plain || element.type === undefined) {
    return (
      <span className={classes.nothing}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{t("values.none")}</span>
      </span>
    );
  }
  if (element.type === "flag" && plain !== "1") return t("values.no");
  const currency = element.currency_field ? textOf(record[`__${element.currency_field}`]) : undefined;
  const href = element.controller ? `/${element.controller}/view?id=${encodeURIComponent(plain)}` : undefined;
  const options = element.options?.map(({ value, text: label, color }) => ({
    value,
    label,
    ...(color ? { color } : {}),
  }));
  return fieldValue(
    { type: element.type, options, scale: element.scale },
    { value: plain, text, href, currency },
    formats,
    {
      yes: t("values.yes"),
      no: t("values.no"),
    },
  );
}
