// The registry of field types: a line per type. The compiler names the one that is missing.
import type { FieldTypeId } from "../../contract/field-types.ts";
import type { AnyFieldType } from "./field-type.ts";
import { shortText } from "./short-text.ts";

export const fieldTypes = {
  "short-text": shortText,
} as unknown as Record<FieldTypeId, AnyFieldType>;
