// Which of a record's values one looks for first, chosen by what its fields are: the choice that says how far it is, an amount, a
// day. Takes the fields of its form in their order. Pure.
import type { FormElement, WireRecord } from "../../../client/records/records.ts";
import { permission } from "../../../contract/permissions.ts";
import { fieldTypes } from "../../fields/index.ts";
import { fieldName } from "./form/form-rules.ts";

const isFilled = (value: unknown): boolean => typeof value === "string" && value !== "";

/** `hasStage`: its stage is told already. */
export function keyFactsOf(
  elements: readonly FormElement[],
  record: WireRecord,
  hasStage: boolean,
): readonly FormElement[] {
  const shown = elements.filter(
    (element) =>
      element.type !== undefined && element.permission !== permission.DELETE && isFilled(record[fieldName(element)]),
  );
  const firstOf = (fits: (element: FormElement) => boolean): FormElement[] => shown.filter(fits).slice(0, 1);
  const typeOf = ({ type = "short-text" }: FormElement) => fieldTypes[type];
  return [
    ...(hasStage
      ? []
      : firstOf(
          (element) => typeOf(element).picks === "one" && (element.options?.some(({ color }) => color) ?? false),
        )),
    ...firstOf((element) => typeOf(element).hasCurrency === true),
    ...firstOf((element) => typeOf(element).days === "day"),
  ];
}

/** The picture of who or what the record is about: its first one. */
export const pictureOf = (elements: readonly FormElement[], record: WireRecord): FormElement | undefined =>
  elements.find((element) => {
    const value = record[fieldName(element)];
    return (
      element.type !== undefined &&
      fieldTypes[element.type].isPicture === true &&
      element.permission !== permission.DELETE &&
      typeof value === "object" &&
      value !== null
    );
  });
