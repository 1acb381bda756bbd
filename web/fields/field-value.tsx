// A value of the wire as people read it, by the type of its field. Plain elements: a table shows hundreds of them.
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { FieldTypeId } from "../../contract/field-types.ts";
import type { Formats } from "../../contract/formats.ts";
import { ChoiceMark } from "./choice-mark.tsx";
import { fieldText } from "./field-text.ts";
import type { ShownField, ShownValue, ValueWords } from "./shown-value.ts";
import classes from "./values.module.css";

const numeric: ReadonlySet<FieldTypeId> = new Set(["integer", "decimal", "money", "percent"]);

export const isNumericType = (type: FieldTypeId): boolean => numeric.has(type);

/** Links inside a table are for the pointer: there the keyboard moves by cells. */
export function fieldValue(
  field: ShownField,
  shown: ShownValue,
  formats: Formats,
  words: ValueWords,
  tabIndex?: number,
): ReactNode {
  const { value, text, href } = shown;
  const link = (address: string, content: string, outside = false) => (
    <a
      href={address}
      tabIndex={tabIndex}
      dir="auto"
      className={classes.link}
      {...(outside ? { target: "_blank", rel: "noreferrer" } : {})}
    >
      {content}
    </a>
  );
  switch (field.type) {
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
      return (
        <span className={classes.code} dir="ltr">
          {value}
        </span>
      );
    default:
      return fieldText(field, shown, formats, words);
  }
}

function choiceMark(options: ShownField["options"], value: string, text?: string | null): ReactNode {
  const option = options?.find((one) => one.value === value);
  return <ChoiceMark label={option?.label ?? text ?? value} color={option?.color} />;
}
