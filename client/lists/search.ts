// The search over all record types that one may list.
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";

export interface SearchHit {
  readonly id: string;
  readonly name: string | null;
  readonly business_key: string | null;
  /** What tells it from others of its name, the most telling first. */
  readonly facts?: readonly { readonly label: string; readonly text: string }[];
}

export interface SearchGroup {
  readonly controller: RecordTypeKey;
  readonly label: string;
  readonly plural: string;
  readonly icon: string | null;
  readonly has_more: boolean;
  readonly records: readonly SearchHit[];
}

export interface SearchResult {
  readonly groups: readonly SearchGroup[];
  /** Types that did not answer in time. */
  readonly unfinished: readonly RecordTypeKey[];
}

export async function searchEverything(
  call: Call,
  text: string,
  limit: number,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const { data } = await call<{ data: { search: readonly SearchGroup[]; unfinished: readonly string[] } }>(
    "core/search/index",
    { query: { text, limit }, signal },
  );
  return { groups: data.search, unfinished: data.unfinished };
}

export interface FoundView {
  readonly id: string;
  readonly name: string;
  readonly controller: RecordTypeKey;
}

/** Saved views of any record type, by a part of their name. */
export async function findViews(call: Call, text: string, signal?: AbortSignal): Promise<readonly FoundView[]> {
  const q = {
    method: "find",
    fields: ["listviews.id", "listviews.name", "listviews.controller"],
    where: { "listviews.name": { op: "contains", value: text } },
    order: ["listviews.name ASC"],
    limit: 6,
    pheader: "0",
  };
  const body = await call<{ paginate: { data: readonly FoundView[] } }>("core/listviews/index", {
    query: { q: JSON.stringify(q), track_open: 0 },
    signal,
  });
  return body.paginate.data.map(({ id, name, controller }) => ({ id, name, controller }));
}

const MOST_FACTS = 3;

/** A line beneath a hit: of two of the same name, first what differs. */
export function tellingLine(hit: SearchHit, among: readonly SearchHit[]): string {
  const facts = hit.facts ?? [];
  const namesakes = among.filter(({ id, name }) => id !== hit.id && name === hit.name);
  const isShared = (fact: (typeof facts)[number]): boolean =>
    namesakes.length > 0 &&
    namesakes.every(({ facts: theirs = [] }) =>
      theirs.some(({ label, text }) => label === fact.label && text === fact.text),
    );
  const ordered = [...facts.filter((fact) => !isShared(fact)), ...facts.filter(isShared)];
  return ordered
    .slice(0, MOST_FACTS)
    .map(({ text }) => text)
    .join(" · ");
}
