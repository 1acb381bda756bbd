// The search over all record types that one may list.
import type { RecordTypeKey } from "./address.ts";
import type { Call } from "./transport.ts";

export interface SearchHit {
  readonly id: string;
  readonly name: string | null;
  readonly business_key: string | null;
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
