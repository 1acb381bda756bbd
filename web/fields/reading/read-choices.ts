// Texts that name options, by value or label, without regard to case.
import type { ReadField, Reading } from "./reading.ts";

const same = (one: string, other: string): boolean => one.toLocaleLowerCase() === other.toLocaleLowerCase();

export const optionOf = ({ options }: ReadField, text: string) =>
  options?.find(({ value }) => value === text) ??
  options?.find(({ label }) => same(label, text)) ??
  options?.find(({ value }) => same(value, text));

export function readChoices(field: ReadField, texts: readonly string[], why: "choice" | "choices"): Reading {
  const found = texts.map((text) => optionOf(field, text));
  const values = found.flatMap((option) => option?.value ?? []);
  return values.length === texts.length ? { value: [...new Set(values)].join(";") } : { why };
}
