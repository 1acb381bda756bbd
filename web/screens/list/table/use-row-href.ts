// Where a row of a list leads: to its record, or from a group to the list of the records in it.
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { ListPage, ListRow } from "../../../../client/lists/lists.ts";
import { useTimeZone } from "../../../fields/formats.ts";
import { savedViewsQuery } from "../../../queries.ts";
import { sliceCondition } from "../../../views/drawing/slice-condition.ts";
import { recordsHref } from "../../../views/records-href.ts";

export type RowHref = (row: ListRow | undefined) => string | undefined;

const textAt = (row: ListRow, name: string): string | null => {
  const value = row[name];
  return typeof value === "string" && value !== "" ? value : null;
};

export function useRowHref(schema: RecordTypeSchema, head: ListPage | undefined, search: string | undefined): RowHref {
  const { key } = schema.recordType;
  const timeZone = useTimeZone();
  const { data: views } = useQuery(savedViewsQuery(key));
  return useCallback(
    (row) => {
      if (row === undefined || head === undefined) return undefined;
      if (head.group.length === 0) {
        const id = textAt(row, head.idColumn);
        return id === null ? undefined : `/${key}/view?id=${encodeURIComponent(id)}`;
      }
      const by = head.header.filter(({ column_name: name }) => head.group.includes(name));
      if (by.length < head.group.length) return undefined;
      const slices = by.map((each) => sliceCondition(each, textAt(row, each.name), timeZone));
      return recordsHref({ schema, views: views ?? [], conditions: [head.where, ...slices], search });
    },
    [schema, head, key, views, timeZone, search],
  );
}
