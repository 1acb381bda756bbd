// An object sent for a field of several columns, whose every part is known by name.

export type SentParts<Part extends string> =
  | { readonly parts: { readonly [part in Part]?: unknown } }
  | { readonly fault: string };

/** `expectation` is the sentence for what is no object at all. */
export function sentParts<Part extends string>(
  input: unknown,
  known: readonly Part[],
  expectation: string,
): SentParts<Part> {
  if (!isObject<Part>(input)) return { fault: expectation };
  const stranger = Object.keys(input).find((key) => !known.some((part) => part === key));
  if (stranger !== undefined) return { fault: `has no part "${stranger.slice(0, 40)}", only ${known.join(", ")}` };
  return { parts: input };
}

/** Every object has parts of any name, if only undefined ones. */
const isObject = <Part extends string>(input: unknown): input is { readonly [part in Part]?: unknown } =>
  typeof input === "object" && input !== null && !Array.isArray(input);
