// Keeps the keys of the rows that were drawn last, for row-keys.ts.
import { useLayoutEffect, useRef } from "react";
import { type KeyedRow, keysOf, type RowKeys } from "./row-keys.ts";

export function useRowKeys(rows: readonly KeyedRow[]): ReadonlyMap<number, string> {
  const drawn = useRef<RowKeys>(new Map());
  const keys = keysOf(rows, drawn.current);
  useLayoutEffect(() => {
    drawn.current = new Map(rows.flatMap(({ index, id }) => (id === undefined ? [] : [[id, keys.get(index) ?? ""]])));
  });
  return keys;
}
