// The query of a list view, as it is saved and as a draft of it stands in the address (`q`): the q language, and how the
// view is drawn. Over the wire a draft is `listview_query`.
import type { ViewKind } from "../contract/view-kinds.ts";

export type Condition = Readonly<Record<string, unknown>>;

export interface ListDraft {
  readonly fields?: readonly string[];
  readonly where?: Condition | readonly Condition[];
  readonly group?: readonly string[];
  readonly having?: Condition | readonly Condition[];
  readonly order?: readonly string[];
  readonly limit?: number;
  readonly search_basic?: string;
  readonly ui_helper?: ViewKind;
  /** Which columns the picture is drawn from. */
  readonly chart?: Readonly<Record<string, string>>;
  readonly columns?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** An empty draft for a text that is none: the service then says what is wrong with it. */
export function readDraft(text: string | undefined): ListDraft {
  if (text === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    // The address is the reader's own: what has the wrong shape is refused by the service, in words.
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? (parsed as ListDraft) : {};
  } catch {
    return {};
  }
}

/** Undefined where nothing is left to say. */
export function writeDraft(draft: ListDraft): string | undefined {
  const said = Object.entries(draft).filter(([, value]) => value !== undefined);
  return said.length === 0 ? undefined : JSON.stringify(Object.fromEntries(said));
}

/** All of them must hold. */
export function allOf(...conditions: readonly (Condition | readonly Condition[] | undefined)[]): Condition[] {
  return conditions.flatMap((one) => one ?? []);
}
