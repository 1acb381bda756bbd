// Several of the field's options.
import { IconListCheck } from "@tabler/icons-react";
import { options } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { optionOf, readChoices } from "./reading/read-choices.ts";
import type { ReadField } from "./reading/reading.ts";
import { choiceMark } from "./showing/choice-mark.tsx";
import { labelOf } from "./showing/shown-value.ts";
import classes from "./showing/values.module.css";

/** A label may hold a comma itself. */
function splitChoices(field: ReadField, text: string): readonly string[] {
  if (optionOf(field, text)) return [text];
  const parts = (mark: RegExp): string[] => text.split(mark).flatMap((part) => part.trim() || []);
  const bySemicolon = parts(/[;\n|]/);
  return bySemicolon.length > 1 ? bySemicolon : parts(/[,،]/);
}

export const multipleChoice: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).ChoicesInput),
  read: (text, field) => readChoices(field, splitChoices(field, text), "choices"),
  copy: ({ value }, field) =>
    value
      .split(";")
      .map((one) => labelOf(field, one) ?? one)
      .join("; "),
  show: ({ value }, { options: known }) => (
    <span className={classes.choices}>
      {value.split(";").map((one) => (
        <span key={one}>{choiceMark(known, one)}</span>
      ))}
    </span>
  ),
  width: 236,
  picks: "several",
  FilterInput: fieldPart(async () => (await import("./parts.ts")).ChoiceFilter),
  design: { icon: IconListCheck, settings: [options], startsWith: true },
};
