// What the demo hands to its loader: batches of rows with wire values and ids of their own, counted from 1 by type.
import type { RecordTypeKey } from "../server/metadata/record-type.ts";
import { instantText } from "./calendar.ts";

export type DemoValue = string | null | { readonly [part: string]: string | null };

export interface DemoRow {
  readonly id: string;
  readonly created: string;
  readonly modified: string;
  readonly created_by: string;
  readonly modified_by: string;
  readonly owned_by: string;
  readonly primary_acl_group: string | null;
  readonly deleted: "0" | "1";
  readonly [field: string]: DemoValue;
}

export interface DemoBatch {
  readonly type: RecordTypeKey;
  readonly rows: readonly DemoRow[];
}

/** Finds the id of a row of master data by its natural key, such as `DE` of `masters/countries`. */
export type MasterId = (type: RecordTypeKey, key: string) => string;

/** Who made a record when, before it is a row. */
export interface Authored {
  readonly id: number;
  readonly created: number;
  readonly modified?: number;
  readonly author: number;
  readonly owner: number;
  readonly group: number | null;
  readonly deleted?: boolean;
  /** Owned by the administrator, who is not among the demo's people. */
  readonly mine?: boolean;
}

export function toRow(record: Authored, fields: Readonly<Record<string, DemoValue>>): DemoRow {
  return {
    ...fields,
    id: String(record.id),
    created: instantText(record.created),
    modified: instantText(record.modified ?? record.created),
    created_by: String(record.author),
    modified_by: String(record.modified === undefined ? record.author : record.owner),
    owned_by: String(record.owner),
    primary_acl_group: record.group === null ? null : String(record.group),
    deleted: record.deleted ? "1" : "0",
    ...(record.mine ? { mine: "1" } : {}),
  };
}

/** In the order of time, numbered from 1. */
export function numbered<Item extends { id: number; readonly created: number }>(items: Item[]): Item[] {
  items.sort((a, b) => a.created - b.created);
  for (const [index, item] of items.entries()) item.id = index + 1;
  return items;
}

export const idText = (id: number | undefined): string | null => (id === undefined ? null : String(id));
