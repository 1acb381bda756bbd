// Which fields a condition can be about: those with an operator at all.
import type { SchemaField } from "../../../../client/design/record-types.ts";

export const isFilterable = ({ operators }: SchemaField): boolean => operators.length > 0;
