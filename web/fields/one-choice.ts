// Types whose input is one choice: making it is a whole answer, which can be saved at once.
import type { FieldTypeId } from "../../contract/field-types.ts";

const oneChoice: ReadonlySet<FieldTypeId> = new Set(["flag", "choice", "reference"]);

export const isOneChoice = (type: FieldTypeId): boolean => oneChoice.has(type);
