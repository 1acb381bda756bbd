// A value of the wire as people read it, by the type of its field. Plain elements: a table shows hundreds of them.
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { FieldTypeId } from "../../contract/field-types.ts";
import { ChoiceMark } from "./choice-mark.tsx";
import type { Formats } from "./formats.ts";
import classes from "./values.module.css";

export interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  readonly color?: string | null;
}

export interface ShownField {
  readonly type: FieldTypeId;
  readonly options?: readonly ChoiceOption[] | null | undefined;
  readonly scale?: number | null | undefined;
}

export interface ShownValue {
  readonly value: string;
  /** What a reference is called. */
  readonly text?: string | null | undefined;
  /** Where a reference leads. */
  readonly href?: string | undefined;
  readonly currency?: string | undefined;
}

export interface ValueWords {
  readonly yes: string;
  readonly no: string;
}

const numeric: ReadonlySet<FieldTypeId> = new Set(["integer", "decimal", "money", "percent"]);

export const isNumericType = (type: FieldTypeId): boolean => numeric.has(type);

/** Links inside a table are for the pointer: there the keyboard moves by cells. */
export function fieldValue(
  field: ShownField,
  { value, text, href, currency }: ShownValue,
  formats: Formats,
  words: ValueWords,
  tabIndex?: number,
): ReactNode {
  const link = (address: string, content: string, outside = false) => (
    <a
      href={address}
      tabIndex={tabIndex}
      className={classes.link}
      {...(outside ? { target: "_blank", rel: "noreferrer" } : {})}
    >
      {content}
    </a>
  );
  switch (field.type) {
    case "integer":
    case "decimal":
      return formats.number(value, field.scale ?? 0);
    case "money":
      return formats.money(value, currency, field.scale ?? 2);
    case "percent":
      return formats.percent(value);
    case "date":
      return formats.date(value);
    case "date-time":
      return formats.dateTime(value);
    case "flag":
      return value === "1" ? (
        <IconCheck size={16} stroke={2} className={classes.check} role="img" aria-label={words.yes} />
      ) : (
        <span className="visually-hidden">{words.no}</span>
      );
    case "choice":
      return choiceMark(field.options, value, text);
    case "multiple-choice":
      return (
        <span className={classes.choices}>
          {value.split(";").map((one) => (
            <span key={one}>{choiceMark(field.options, one)}</span>
          ))}
        </span>
      );
    case "reference":
      return href === undefined ? (text ?? value) : link(href, text ?? value);
    case "email":
      return link(`mailto:${value}`, value);
    case "phone":
      return link(`tel:${value.replace(/[^\d+]/g, "")}`, value);
    case "url":
      return /^https?:\/\//i.test(value) ? link(value, value.replace(/^https?:\/\/(www\.)?|\/$/gi, ""), true) : value;
    case "json":
    case "geo-point":
      return <span className={classes.code}>{value}</span>;
    default:
      return text ?? value;
  }
}

function choiceMark(options: ShownField["options"], value: string, text?: string | null): ReactNode {
  const option = options?.find((one) => one.value === value);
  return <ChoiceMark label={option?.label ?? text ?? value} color={option?.color} />;
}
