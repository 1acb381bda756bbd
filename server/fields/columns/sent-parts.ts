// An object sent for a field of several columns, whose every part is known by name.
import { type Fault, fault } from "../../../contract/messages.ts";

export type SentParts<Part extends string> =
  | { readonly parts: { readonly [part in Part]?: unknown } }
  | { readonly fault: Fault };

/** `expectation` is said of what is no object at all. */
export function sentParts<Part extends string>(
  input: unknown,
  known: readonly Part[],
  expectation: Fault,
): SentParts<Part> {
  if (!isObject<Part>(input)) return { fault: expectation };
  const stranger = Object.keys(input).find((key) => !known.some((part) => part === key));
  if (stranger !== undefined) return { fault: fault("unknown_part", { part: stranger.slice(0, 40), parts: known }) };
  return { parts: input };
}

/** Every object has parts of any name, if only undefined ones. */
const isObject = <Part extends string>(input: unknown): input is { readonly [part in Part]?: unknown } =>
  typeof input === "object" && input !== null && !Array.isArray(input);
