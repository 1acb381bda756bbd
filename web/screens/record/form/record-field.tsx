// One field of a form: its label, and its value or its input in the same place. What is wrong with a typed value is said
// when the field is left, and taken back as soon as it is mended.
import { Text } from "@mantine/core";
import { memo, type ReactNode, useId, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { FieldRule, FormElement, WireRecord, WireValue } from "../../../../client/records/records.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { checkValue } from "../../../fields/inputs/check-value.ts";
import { useLeft } from "../../../parts/controls/use-left.ts";
import classes from "../record.module.css";
import { fieldName } from "./form-rules.ts";
import { StoredValue } from "./stored-value.tsx";
import type { Change } from "./use-draft.ts";

interface RecordFieldProps {
  readonly element: FormElement;
  readonly record: WireRecord;
  readonly change: Change | undefined;
  readonly isEdited: boolean;
  readonly isRequired: boolean;
  readonly rules: readonly FieldRule[];
  /** What rules of the whole record say here. */
  readonly broken?: readonly string[];
  /** A record that is not there yet is not judged before one has been at the field. */
  readonly isNew?: boolean;
  /** The reference whose record the value comes from, for as long as nobody types another. */
  readonly takenFrom?: string | undefined;
  readonly errors: readonly string[];
  readonly onChange: (field: string, change: Change) => void;
  /** Takes the place of the stored value where it is only read. */
  readonly shown?: ReactNode;
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** The value on the screen, and what it is called. */
export function currentValue(element: FormElement, record: WireRecord, change: Change | undefined) {
  const name = fieldName(element);
  const held = change ? change.value : record[name];
  // A field's value is never an array: those are the rows of grids.
  const value = Array.isArray(held) ? null : ((held ?? null) as WireValue);
  return { value, text: change && "text" in change ? change.text : textOf(record[`__${name}`]) };
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  // What is wrong with it, sentence by sentence: the same ones are in another list each time.
  (Array.isArray(one) &&
    Array.isArray(other) &&
    one.length === other.length &&
    one.every((part, at) => part === other[at]));

/** Drawn again only when something about this field changes: a key that is pressed in another one is not its concern. */
export const RecordField = memo(DrawnField, (before, now) =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].every((name) =>
    isSame(before[name as keyof RecordFieldProps], now[name as keyof RecordFieldProps]),
  ),
);

function DrawnField(props: RecordFieldProps) {
  const {
    element,
    record,
    change,
    isEdited,
    isRequired,
    rules,
    broken = [],
    takenFrom,
    errors,
    onChange,
    shown,
  } = props;
  const { t } = useTranslation();
  const id = useId();
  const [isLeft, leave] = useLeft();
  const name = fieldName(element);
  const { value, text } = currentValue(element, record, change);
  const asked = useMemo(() => ({ ...element, not_empty: isRequired ? "1" : "0" }) as const, [element, isRequired]);
  const Input = isEdited && element.type !== undefined ? fieldTypes[element.type].Input : undefined;
  const taken =
    takenFrom !== undefined && change === undefined ? t("record.taken_over", { reference: takenFrom }) : undefined;
  const help = [element.help, taken].filter(Boolean);
  const helpId = help.length > 0 && Input ? `${id}-help` : undefined;
  const wide = (element.type && fieldTypes[element.type].hasLines) || undefined;
  const required = isRequired ? t("record.required", { label: element.label }) : undefined;
  const own = isLeft && change ? checkValue(rules, value, required) : [];
  const faults =
    errors.length > 0 ? errors : own.length > 0 ? own : isLeft || (props.isNew === false && !change) ? broken : [];
  return (
    <div className={classes.field} data-wide={wide} data-document={element.document} data-field={element.__name}>
      <label className={classes.label} htmlFor={Input && id} id={`${id}-label`}>
        {element.label}
        {Input && isRequired && (
          <span className={classes.star} aria-hidden="true">
            *
          </span>
        )}
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the input inside was left */}
      <div className={classes.value} onBlur={Input && leave}>
        {Input ? (
          <>
            <Input
              element={asked}
              id={id}
              value={value}
              text={text}
              error={faults.length > 0 ? faults.join(" ") : undefined}
              errors={faults}
              describedBy={helpId}
              onChange={(next, called) =>
                onChange(name, called === undefined ? { value: next } : { value: next, text: called })
              }
            />
            {helpId && (
              <Text id={helpId} size="xs" c="dimmed" mt={4}>
                {help.join(" · ")}
              </Text>
            )}
          </>
        ) : (
          shown || <StoredValue element={element} record={record} value={value} text={text} />
        )}
      </div>
    </div>
  );
}
