// A field as its designer has it so far, as the element of a form: for the input of what new records start with.
import type { FormElement } from "../../../client/records/records.ts";
import type { FieldSettings } from "../../../contract/field-types.ts";
import type { FieldDefinition } from "../../../contract/record-type.ts";

interface DraftOption {
  readonly value: string;
  readonly label: string;
  readonly color?: string;
}

const plainSettings = (settings: Readonly<Record<string, unknown>>): FieldSettings =>
  Object.fromEntries(
    Object.entries(settings).filter(
      (entry): entry is [string, string | number] => typeof entry[1] === "string" || typeof entry[1] === "number",
    ),
  );

export function elementOfDesign({ name, label, type, settings = {} }: FieldDefinition): FormElement {
  const { options, to, scale } = settings;
  return {
    name: [name],
    __name: name,
    label: label ?? name,
    template: "input",
    method: "text",
    permission: 2,
    not_empty: "0",
    type,
    ...(Array.isArray(options)
      ? // The settings of a choice are written by its own input.
        { options: (options as DraftOption[]).map(({ value, label: text }) => ({ value, text })) }
      : {}),
    settings: plainSettings(settings),
    ...(typeof to === "string" ? { controller: to } : {}),
    scale: typeof scale === "number" ? scale : null,
  };
}
