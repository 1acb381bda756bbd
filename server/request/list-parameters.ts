// Takes the parameters of a list; gives them read and within their ranges, or a 400 that names the parameter, its range
// and what was sent. Syntax only.

import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import { parseJson } from "./json/json.ts";
import { type Q, queryAt, viewKeys } from "./q.ts";
import { shown, type Tree, textAt } from "./tree.ts";

export interface ListParameters {
  readonly viewId: string | undefined;
  /** In place of the view's own query: a draft of it. */
  readonly viewQuery: Q | undefined;
  readonly page: number;
  /** Undefined: the view's own. */
  readonly limit: number | undefined;
  /** A header's column_name. */
  readonly sort: string | undefined;
  readonly descending: boolean;
  readonly search: string | undefined;
  readonly q: Q | undefined;
  /** `track_open=0` leaves the memory of the last used view as it is. */
  readonly track: boolean;
  /** No rows: only whether an index would help, for whoever has waited for them. */
  readonly noticesOnly?: boolean;
  /** Groups of a large table may come from a sample, for whoever does not wait for all of it. */
  readonly mayEstimate?: boolean;
  /** Only records that a reference of another record can name. */
  readonly choices?: ChoicesAsked | undefined;
}

export interface ChoicesAsked {
  /** The record type and its reference field. */
  readonly type: string;
  readonly field: string;
  /** What the record has now; what is not sent is empty. */
  readonly values: Readonly<Record<string, string | null>>;
}

export const listLimits = { page: 1_000_000_000, limit: 1_000, all: 10_000, search: 200, words: 10 } as const;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function refuse(name: string, reason: Message): never {
  throw new Failure("malformed_parameter", { with: { name, reason } });
}

const quoted = (sent: string): string => `"${shown(sent)}"`;

function whole(tree: Tree, name: string, most: number): number | undefined {
  const text = textAt(tree, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 1 && value <= most)) refuse(name, say("must_be_whole_not", { max: most, sent: quoted(text) }));
  return value;
}

function refuseManyWords(name: string, search: string | undefined): void {
  if (searchWords(search).length > listLimits.words) {
    refuse(name, say("too_many_words", { max: listLimits.words }));
  }
}

export function parseListParameters(parameters: Tree): ListParameters {
  const viewId = textAt(parameters, "current_listview") ?? textAt(parameters, "listview_id");
  if (viewId !== undefined && !uuid.test(viewId))
    refuse("current_listview", say("must_be_view_id", { sent: quoted(viewId) }));
  const direction = textAt(parameters, "dir");
  if (direction !== undefined && !/^(asc|desc)$/i.test(direction))
    refuse("dir", say("must_be_one_of_not", { options: ["ASC", "DESC"], sent: quoted(direction) }));
  const search = textAt(parameters, "search_basic");
  if (search !== undefined && search.length > listLimits.search) {
    refuse("search_basic", say("search_too_long", { max: listLimits.search }));
  }
  refuseManyWords("search_basic", search);
  const q = queryAt(parameters, "q");
  refuseManyWords("q", q?.search);
  const viewQuery = queryAt(parameters, "listview_query", viewKeys);
  refuseManyWords("listview_query", viewQuery?.search);
  return {
    viewId: viewId?.toLowerCase(),
    viewQuery,
    page: whole(parameters, "page", listLimits.page) ?? q?.page ?? 1,
    limit: whole(parameters, "limit", listLimits.limit) ?? (q?.limit === -1 ? listLimits.all : q?.limit),
    sort: textAt(parameters, "sort"),
    descending: direction?.toLowerCase() === "desc",
    search: search ?? q?.search,
    q,
    track: textAt(parameters, "track_open") !== "0",
    noticesOnly: noticesOnly(parameters),
    mayEstimate: mayEstimate(parameters),
    choices: choicesAsked(parameters),
  };
}

function noticesOnly(parameters: Tree): boolean {
  const sent = textAt(parameters, "notices");
  if (sent !== undefined && sent !== "only")
    refuse("notices", say("must_be_one_of_not", { options: ["only"], sent: quoted(sent) }));
  return sent === "only";
}

function mayEstimate(parameters: Tree): boolean {
  const sent = textAt(parameters, "estimate");
  if (sent !== undefined && sent !== "0" && sent !== "1")
    refuse("estimate", say("must_be_one_of_not", { options: ["0", "1"], sent: quoted(sent) }));
  return sent === "1";
}

const referenceName = /^([a-z][a-z0-9_]{0,62}\/[a-z][a-z0-9_]{0,62})\.([a-z][a-z0-9_]{0,62})$/;

function choicesAsked(parameters: Tree): ChoicesAsked | undefined {
  const sent = textAt(parameters, "choices_for");
  if (sent === undefined) return undefined;
  const [, type = "", field = ""] = referenceName.exec(sent) ?? refuse("choices_for", say("must_be_reference"));
  const values: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(jsonObject(textAt(parameters, "choices_record") ?? "{}"))) {
    if (typeof value === "string") values[name] = value;
  }
  return { type, field, values };
}

function jsonObject(text: string): object {
  try {
    const { value } = parseJson(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  return refuse("choices_record", say("must_be_values"));
}

/** Every word must occur somewhere in the record; the same word twice says nothing more. */
export function searchWords(search: string | undefined): readonly string[] {
  return [...new Set((search ?? "").split(/\s+/u).filter(Boolean))];
}
