// What the input of a setting of a field is given, whatever its kind.
import type { ListedType } from "../../../client/design/design.ts";
import type { FieldDefinition } from "../../../contract/record-type.ts";
import type { SettingDesign } from "./field-design.ts";

export interface SettingInputProps {
  readonly design: SettingDesign;
  readonly label: string;
  readonly help: string;
  readonly value: unknown;
  readonly error: string | undefined;
  /** Of a part of it, such as `0.label`. */
  readonly errorAt: (path: string) => string | undefined;
  /** What the input of such a part is marked with (`data-path`). */
  readonly pathOf: (path: string) => string;
  /** Undefined: as if nothing had been said. */
  readonly onChange: (value: unknown) => void;
  /** What can be pointed to. */
  readonly types: readonly ListedType[];
  /** The other fields of the type. */
  readonly fields: readonly FieldDefinition[];
}
