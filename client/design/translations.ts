// The labels of the design with their words in a language, and saving many of them at once.
import type { Call } from "../transport/transport.ts";

export const labelKinds = [
  "type",
  "field",
  "help",
  "option",
  "related",
  "form",
  "workflow",
  "stage",
  "transition",
  "view",
  "category",
  "navigation",
] as const;

export interface Wording {
  /** As it was written. */
  readonly label: string;
  readonly kind: (typeof labelKinds)[number];
  /** The record type that it belongs to; null in the navigation. */
  readonly type: string | null;
  readonly type_label: string | null;
  /** What it is part of: the field of an option, the form of a heading. */
  readonly of: string | null;
  readonly translation: string | null;
  /** What Dossier itself calls it; null for a label of one's own, whatever else has it. */
  readonly shipped: string | null;
  /** What Dossier calls that label elsewhere, for one of one's own. */
  readonly suggested: string | null;
  /** Longer than what can be translated. */
  readonly is_too_long: 0 | 1;
}

/** `controller`: of one record type, those that others have too included. */
export async function readWording(
  call: Call,
  language: string,
  controller?: string,
  signal?: AbortSignal,
): Promise<readonly Wording[]> {
  const { data } = await call<{ data: { labels: readonly Wording[] } }>("core/translations/wording", {
    query: { language, ...(controller === undefined ? {} : { controller }) },
    signal,
  });
  return data.labels;
}

/** By label; an empty text takes the translation away. */
export async function translateLabels(
  call: Call,
  language: string,
  translations: ReadonlyMap<string, string>,
): Promise<void> {
  const labels = [...translations].map(([label, translation]) => ({ label, translation }));
  await call("core/translations/translate", { body: { language, labels } });
}
