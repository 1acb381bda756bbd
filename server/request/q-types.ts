// What a q says once read: names and texts only. What the names stand for, and whether the texts fit, is for planning.

import { Failure } from "../../contract/failures.ts";
import { type Message, type MessageParam, say } from "../../contract/messages.ts";
import type { Operator } from "../fields/field-type.ts";
import { shown, type Tree, type TreeValue } from "./tree.ts";

export const aggregates = ["count", "sum", "avg", "min", "max"] as const;
export type Aggregate = (typeof aggregates)[number];

/** Dates and instants can be grouped by the period that they lie in; instants by the caller's own calendar. */
export const periods = ["day", "week", "month", "quarter", "year"] as const;
export type Period = (typeof periods)[number];

export type QField =
  /** `of`: the record type's alias, where it was written in front. */
  | { readonly kind: "all"; readonly of?: string }
  /** `column` is `*` for `count(*)` alone. */
  | {
      readonly kind: "column";
      readonly column: string;
      readonly aggregate?: Aggregate;
      readonly period?: Period;
      readonly alias?: string;
    };

export type QCondition =
  | { readonly kind: "all" | "any"; readonly of: readonly QCondition[] }
  | { readonly kind: "not"; readonly of: QCondition }
  | {
      readonly kind: "leaf";
      /** A column's name; in `having` also an aggregate (`count(leads.id)`) or an alias of `fields`. */
      readonly column: string;
      readonly operator: Operator;
      /** None for `is null`, two for `between`, any number for `in`, else one. */
      readonly values: readonly (string | null)[];
    };

export interface QOrder {
  readonly column: string;
  readonly descending: boolean;
}

export interface Q {
  readonly method?: "find" | "count";
  /** Undefined: all of the view. */
  readonly fields?: readonly QField[];
  readonly where?: QCondition;
  readonly group?: readonly string[];
  readonly having?: QCondition;
  readonly order?: readonly QOrder[];
  readonly page?: number;
  /** -1: all. */
  readonly limit?: number;
  readonly search?: string;
  /** `pheader` "0" leaves the header out. */
  readonly header: boolean;
  readonly relatedModelClass?: string;
  readonly showHasManyRecords?: string;
  /** The further keys that a saved view has, as they were read. */
  readonly more?: Tree;
}

export const qLimits = {
  bytes: 32 * 1024,
  /** AND, OR and NOT within one another. */
  depth: 8,
  /** In one `in` or `not in`: what the length of q has room for, in numbers of three digits and up. */
  values: 10_000,
  /** Columns compared in one `where` or `having`. */
  conditions: 200,
  /** Among them `contains`, `starts with` and `ends with`: each may read every text of a table. */
  texts: 32,
  /** Among them those through a has-many association: each is a subquery. */
  many: 24,
  fields: 100,
  orders: 20,
  aliasLength: 64,
  columnLength: 200,
  pageSize: 1_000,
  page: 1_000_000_000,
} as const;

/** Every fault of a q is a 400 that names it. */
export function refuseQ(reason: Message): never {
  throw new Failure("malformed_parameter", { with: { name: "q", reason } });
}

/** Of one of its keys. */
export function refuseKey(key: string, reason: Message): never {
  refuseQ(say("in_key", { key, reason }));
}

/** What was sent, as an error message can show it. */
export function sent(value: TreeValue | undefined): MessageParam {
  if (value === undefined) return say("nothing_sent");
  if (value === null) return "null";
  if (typeof value === "string") return `"${shown(value)}"`;
  return Array.isArray(value) ? say("an_array") : say("an_object");
}
