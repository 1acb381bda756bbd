// One of the field's options.
import { IconCircleDot } from "@tabler/icons-react";
import { options } from "./design/field-design.ts";
import { fieldPart } from "./field-part.tsx";
import type { FieldType } from "./field-type.ts";
import { readChoices } from "./reading/read-choices.ts";
import { choiceMark } from "./showing/choice-mark.tsx";
import { labelOf } from "./showing/shown-value.ts";

export const choice: FieldType = {
  Input: fieldPart(async () => (await import("./parts.ts")).ChoiceInput),
  isOneGesture: true,
  read: (text, field) => readChoices(field, [text], "choice"),
  copy: ({ value, text }, field) => text ?? labelOf(field, value) ?? value,
  text: ({ value, text }, field) => labelOf(field, value) ?? text ?? value,
  show: ({ value, text }, field) => choiceMark(field.options, value, text),
  width: 144,
  picks: "one",
  FilterInput: fieldPart(async () => (await import("./parts.ts")).ChoiceFilter),
  chart: { rank: 0, inOrder: true },
  design: { icon: IconCircleDot, settings: [options], startsWith: true },
};
