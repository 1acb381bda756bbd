// Which records something is about, in the language of lists: built like the filter of a list, or told in words. For several record
// types it is about the fields that all of them have.
import { Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useEffect } from "react";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import type { DocumentProps } from "../../../fields/files/document-tools.ts";
import { useFoundFields } from "../../../fields/filter/use-found-fields.ts";
import { aliasOf } from "../../../fields/paths/field-path.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { schemaQuery } from "../../../queries.ts";
import { leavesOf, readWhere, writeWhere } from "../../list/filter/condition.ts";
import { ConditionWords } from "../../list/filter/condition-words.tsx";
import { isFilterable } from "../../list/filter/filterable.ts";
import { GroupEditor } from "../../list/filter/group-editor.tsx";
import { useFilterDraft } from "../../list/filter/use-filter-draft.ts";
import { forAnyType, whereIn, writeCondition } from "./where.ts";

export function WhereDocument({ value, recordTypeKey, errors, onChange }: DocumentProps) {
  const keys = recordTypeKey.split(";").filter(Boolean);
  const [first = ""] = keys;
  const schemas = useQueries({ queries: keys.map((key) => schemaQuery(key)) }).flatMap(({ data }) => data ?? []);
  const [schema, ...others] = schemas;
  const where = whereIn(value);
  const [group, put] = useFilterDraft(where, (next) => onChange?.(writeCondition(next)));
  const found = useFoundFields(
    first,
    leavesOf(group).map(({ column }) => column),
  );
  const isForMany = keys.length > 1;
  const alias = schema && isForMany ? aliasOf(schema) : undefined;
  // What was built for one record type goes on for several.
  const common = alias === undefined ? group : forAnyType(group, alias);
  useEffect(() => {
    if (onChange && common !== group && writeWhere(common) !== undefined) put(common, true);
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
    others.every(({ fields }) => fields.some(({ name, type }) => name === field.name && type === field.type));
  return (
    <>
      <GroupEditor
        recordTypeKey={first}
        group={group}
        found={found}
        offers={isForMany ? isCommon : isFilterable}
        ownOnly={isForMany}
        // Whoever saves at once saves this too.
        onChange={(next) => put(alias === undefined ? next : forAnyType(next, alias), true)}
      />
      {errors.map((error) => (
        <Notice key={error} tone="bad">
          {error}
        </Notice>
      ))}
    </>
  );
}
