// Translations that are typed and not saved yet, by language and label: how they change, what is sent of them, and what is left
// after that. Pure.

/** No language without a text. */
export type Drafts = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface Batch {
  readonly language: string;
  readonly labels: ReadonlyMap<string, string>;
}

export const noDrafts: Drafts = new Map();

/** The most that the service takes at once. */
const MOST_AT_ONCE = 500;

/** Undefined takes the draft of a label away. */
export function withDraft(drafts: Drafts, language: string, label: string, text: string | undefined): Drafts {
  const labels = new Map(drafts.get(language));
  if (text === undefined) labels.delete(label);
  else labels.set(label, text);
  const next = new Map(drafts);
  if (labels.size === 0) next.delete(language);
  else next.set(language, labels);
  return next;
}

export function batchesOf(drafts: Drafts): readonly Batch[] {
  return [...drafts].flatMap(([language, labels]) => {
    const all = [...labels];
    return Array.from({ length: Math.ceil(all.length / MOST_AT_ONCE) }, (_, index) => ({
      language,
      labels: new Map(all.slice(index * MOST_AT_ONCE, (index + 1) * MOST_AT_ONCE)),
    }));
  });
}

/** What was typed since a batch was sent stays. */
export function withoutSent(drafts: Drafts, sent: readonly Batch[]): Drafts {
  let left = drafts;
  for (const { language, labels } of sent)
    for (const [label, text] of labels)
      if (left.get(language)?.get(label) === text) left = withDraft(left, language, label, undefined);
  return left;
}

export const writeDrafts = (drafts: Drafts): string =>
  JSON.stringify([...drafts].map(([language, labels]) => [language, [...labels]]));

export function readDrafts(text: string | null): Drafts {
  if (text === null) return noDrafts;
  try {
    // Written by this file alone.
    const kept = JSON.parse(text) as [string, [string, string][]][];
    return new Map(kept.map(([language, labels]) => [language, new Map(labels)]));
  } catch {
    return noDrafts;
  }
}
