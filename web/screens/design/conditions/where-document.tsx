// Which records something is about, in the language of lists: built like the filter of a list, or told in words. For several record
// types it is about the fields that all of them have.
import { Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import type { DocumentProps } from "../../../fields/files/document-tools.ts";
import { useFoundFields } from "../../../fields/filter/use-found-fields.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { schemaQuery } from "../../../queries.ts";
import { leavesOf, readWhere } from "../../list/filter/condition.ts";
import { ConditionWords } from "../../list/filter/condition-words.tsx";
import { isFilterable } from "../../list/filter/filterable.ts";
import { GroupEditor } from "../../list/filter/group-editor.tsx";
import { useFilterDraft } from "../../list/filter/use-filter-draft.ts";
import { useSecondType } from "./use-second-type.ts";
import { forAnyType, textForAnyType, typesIn, whereIn, writeCondition } from "./where.ts";

export function WhereDocument({ value, recordTypeKey, errors, onChange }: DocumentProps) {
  const keys = typesIn(recordTypeKey);
  const [first = ""] = keys;
  const schemas = useQueries({ queries: keys.map((key) => schemaQuery(key)) }).map(({ data }) => data);
  const where = whereIn(value);
  const [group, put] = useFilterDraft(where, (next) => onChange?.(writeCondition(next)));
  const found = useFoundFields(
    first,
    leavesOf(group).map(({ column }) => column),
  );
  const isForMany = keys.length > 1;
  const rename = (alias: string): void => {
    const common = forAnyType(group, alias);
    if (common !== group) put(common, true);
  };
  useSecondType(keys, schemas, onChange && rename);
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

/** Beside the text of a condition: keeps its names right when a second record type is added. */
export function WhereNames({ value, recordTypeKey, onChange }: DocumentProps) {
  const keys = typesIn(recordTypeKey);
  const schemas = useQueries({ queries: keys.map((key) => schemaQuery(key)) }).map(({ data }) => data);
  const rename = (alias: string): void => {
    const common = textForAnyType(value, alias);
    if (common !== value) onChange?.(common);
  };
  useSecondType(keys, schemas, onChange && rename);
  return null;
}
