// The options of the choice types: what a designer may list, and which of them a sent text means.

import { z } from "zod";
import { type MessageParam, say } from "../../../contract/messages.ts";
import { coded, codedWith } from "../../lib/issue-message.ts";
import { isEmpty } from "../field-type.ts";
import { oneLine, textFault } from "./plain-text.ts";

const line = (maxLength: number) =>
  z
    .string()
    .refine(
      (text) => text === oneLine(text) && !isEmpty(text) && textFault(text, maxLength) === undefined,
      codedWith("bad_line", { max: maxLength }),
    );

const option = z.strictObject({
  /** `;` separates values on the wire. */
  value: line(100).refine((value) => !value.includes(";"), coded("has_semicolon")),
  label: line(200),
  color: z
    .string()
    .regex(/^(?:#[0-9a-f]{6}|[a-z]{1,20})$/iu, coded("bad_color"))
    .optional(),
});

export type ChoiceOption = z.output<typeof option> & {
  /** As it was defined, where `label` is a translation: what programs and saved conditions say. */
  readonly original?: string;
};

export const choiceSettings = z.strictObject({
  options: z
    .array(option, coded("no_options"))
    .min(1, coded("no_options"))
    .max(500)
    .refine((options) => new Set(options.map(({ value }) => value)).size === options.length, {
      message: coded("option_twice"),
    }),
});

/** Longer than any option is, with room for spaces around it. */
const MOST_CHARACTERS = 1_000;

/** By its very value, else by its label without regard to case, where only one option has that label. */
export function findOption(options: readonly ChoiceOption[], sent: string): ChoiceOption | undefined {
  if (sent.length > MOST_CHARACTERS) return undefined;
  const text = oneLine(sent);
  const byValue = options.find(({ value }) => value === text);
  if (byValue) return byValue;
  const called = (name: (option: ChoiceOption) => string | undefined): ChoiceOption | undefined => {
    const found = options.filter((option) => name(option)?.toLowerCase() === text.toLowerCase());
    return found.length === 1 ? found[0] : undefined;
  };
  return called(({ label }) => label) ?? called(({ original }) => original);
}

/** The same options under other labels. */
export const translated = <Settings extends { readonly options: readonly ChoiceOption[] }>(
  settings: Settings,
  words: (label: string) => string,
): Settings => ({
  ...settings,
  options: settings.options.map((option) => {
    const label = words(option.label);
    return label === option.label ? option : { ...option, label, original: option.label };
  }),
});

/** A long list would drown the sentence. */
export const offer = (options: readonly ChoiceOption[]): MessageParam =>
  options.length > 12 ? say("offered_choices") : options.map(({ label }) => label);

/** The options as a form element carries them. */
export const offered = (options: readonly ChoiceOption[]) =>
  options.map(({ value, label, color }) => ({ value, text: label, ...(color === undefined ? {} : { color }) }));
