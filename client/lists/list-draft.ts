// The query of a list view, as it is saved and as a draft of it stands in the address (`q`): the q language, and how the
// view is drawn. Over the wire a draft is `listview_query`.
import type { ViewKind } from "../../contract/view-kinds.ts";
import type { ColorTarget, RowHeight, RuleColor } from "../../contract/view-look.ts";

export type Condition = Readonly<Record<string, unknown>>;

/** How one column is shown. */
export interface ColumnLook {
  readonly label?: string;
  readonly width?: string;
  readonly is_invisible?: "0" | "1";
  readonly clickable_link?: "0" | "1";
  readonly compute_column_total?: "0" | "1";
  readonly pinned?: "0" | "1";
}

/** One field, one comparison, and the color of the rows or cells where it holds. */
export interface ColorRule {
  readonly where: Condition;
  readonly color: RuleColor;
  readonly paint: ColorTarget;
}

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
  readonly columns?: Readonly<Record<string, ColumnLook>>;
  /** What the rows of a table are put in sections by, as `group` would name it; at most one. */
  readonly sections?: readonly string[];
  readonly row_height?: RowHeight;
  readonly colors?: readonly ColorRule[];
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

/** The same rows, however tall and in whatever colors. */
export const withoutLook = ({ colors: _, row_height: __, ...rest }: ListDraft): ListDraft => rest;

/** The same text for drafts of the same rows; what is no draft, or not one of how rows look, stays as it is. */
export function rowsOnly(text: string): string {
  const draft = readDraft(text);
  return Array.isArray(draft.colors) || typeof draft.row_height === "string"
    ? JSON.stringify(withoutLook(draft))
    : text;
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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** One spelling per meaning: keys in order, without what says nothing. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => plain(item) ?? null);
  if (!isObject(value)) return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  const entries = Object.entries(value)
    .map(([key, inner]) => [key, plain(inner)] as const)
    .filter(([key, inner]) => inner !== undefined && !(key in silent && silent[key] === inner))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const silent: Readonly<Record<string, string>> = {
  ui_helper: "table",
  method: "find",
  is_invisible: "0",
  clickable_link: "0",
  compute_column_total: "0",
  pinned: "0",
  row_height: "normal",
};

/** The same for drafts that say the same. */
export const spellDraft = (draft: ListDraft): string => JSON.stringify(plain(draft)) ?? "";

export const sameDraft = (one: ListDraft, other: ListDraft): boolean => spellDraft(one) === spellDraft(other);
