// Which records something is about, in the language of lists: built like the filter of a list, or told in words. For several record
// types it is about the fields that all of them have.
import { Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import type { DocumentProps } from "../../../fields/files/document-tools.ts";
import { useFoundFields } from "../../../fields/filter/use-found-fields.ts";
import { aliasOf } from "../../../fields/paths/field-path.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { schemaQuery } from "../../../queries.ts";
import { leavesOf, readWhere } from "../../list/filter/condition.ts";
import { ConditionWords } from "../../list/filter/condition-words.tsx";
import { isFilterable } from "../../list/filter/filterable.ts";
import { GroupEditor } from "../../list/filter/group-editor.tsx";
import { useFilterDraft } from "../../list/filter/use-filter-draft.ts";
import { forAnyType, whereIn, writeCondition } from "./where.ts";

export function WhereDocument({ value, recordTypeKey, errors, onChange }: DocumentProps) {
  const keys = recordTypeKey
    .split(";")
    .map((key) => key.trim())
    .filter(Boolean);
  const [first = ""] = keys;
  const schemas = useQueries({ queries: keys.map((key) => schemaQuery(key)) }).map(({ data }) => data);
  const where = whereIn(value);
  const [group, put] = useFilterDraft(where, (next) => onChange?.(writeCondition(next)));
  const found = useFoundFields(
    first,
    leavesOf(group).map(({ column }) => column),
  );
  const isForMany = keys.length > 1;
  // What was built for one record type goes on for several once another is added here. What was for several from the start stays: there,
  // the name of one of them can be that of an association of another.
  const only = useRef<string>(undefined);
  useEffect(() => {
    if (!onChange || keys.length < 2) {
      only.current = first;
      return;
    }
    const index = only.current === undefined ? -1 : keys.indexOf(only.current);
    const schema = schemas[index];
    if (index >= 0 && schema === undefined) return;
    only.current = undefined;
    const common = schema ? forAnyType(group, aliasOf(schema)) : group;
    if (common !== group) put(common, true);
  });
  if (!onChange) {
    return (
      <Text size="sm">
        <ConditionWords condition={readWhere(where)} found={found} />
      </Text>
    );
  }
  const isCommon = (field: SchemaField): boolean =>
    isFilterable(field) &&
    schemas.every((schema) => schema?.fields.some(({ name, type }) => name === field.name && type === field.type));
  return (
    <>
      <GroupEditor
        recordTypeKey={first}
        group={group}
        found={found}
        offers={isForMany ? isCommon : isFilterable}
        ownOnly={isForMany}
        // Whoever saves at once saves this too.
        onChange={(next) => put(next, true)}
      />
      {errors.map((error) => (
        <Notice key={error} tone="bad">
          {error}
        </Notice>
      ))}
    </>
  );
}
