// Takes a value of the history and the form's element of its field; gives it as the page of the record writes it. Pure.
import { createContext } from "react";
import type { FormElement, WireValue } from "../../../../client/records/records.ts";
import type { Formats } from "../../../../contract/formats.ts";
import { fieldText } from "../../../fields/field-value.ts";
import type { ValueWords } from "../../../fields/showing/shown-value.ts";

/** The elements of the record's form, by the name of their field. */
export const ChangedFields = createContext<ReadonlyMap<string, FormElement>>(new Map());

/** `text`: what the service says of it, which stands where the form has no such field. */
export function changeText(
  element: FormElement | undefined,
  value: WireValue,
  text: string | null,
  formats: Formats,
  words: ValueWords,
): string | null {
  if (element?.type === undefined || text === null || typeof value !== "string" || value === "") return text;
  const { type, settings, scale } = element;
  // Of an amount only its number: the history does not say in which currency it was.
  return fieldText({ type, settings, scale }, { value, text }, formats, words);
}
