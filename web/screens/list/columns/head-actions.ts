// What the head of a table can do, and what it shows of the order.
import type { Column } from "./columns.ts";

export interface Sorting {
  readonly column: string;
  readonly descending: boolean;
}

/** What can be done with columns; without it the head only sorts. */
export interface ColumnActions {
  /** Before another, or at the end. */
  move(column: Column, before: Column | undefined): void;
  hide(column: Column): void;
  pin(column: Column, pinned: boolean): void;
  total(column: Column, on: boolean): void;
  filter(column: Column): void;
  /** Puts the rows in sections by it. */
  section(column: Column): void;
  /** Sums the rows up by it. */
  group(column: Column): void;
}

/** Where a dragged column would come to stand: before or after which. */
export interface DropMark {
  readonly key: string;
  readonly edge: "before" | "after";
}
