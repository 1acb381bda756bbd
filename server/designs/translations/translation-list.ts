// The labels in a design's translations, as a list: a label is any text, also one that would mean something as a key of an object. Pure.
import type { Content } from "../design.ts";

type Translated = readonly [label: string, translation: string | null];

/** By label; null for one that is not translated. */
export const translationsIn = (content: Content | null | undefined): ReadonlyMap<string, string | null> =>
  new Map(
    (Array.isArray(content?.labels) ? (content.labels as readonly Content[]) : []).map(
      ({ label, translation }): Translated => [String(label), typeof translation === "string" ? translation : null],
    ),
  );

/** What a document says of the labels of another one: null for those that it does not have. */
export function cutTo(content: Content | null | undefined, other: Content): Content {
  const here = translationsIn(content);
  return {
    ...other,
    labels: [...translationsIn(other).keys()].map((label) => ({ label, translation: here.get(label) ?? null })),
  };
}
