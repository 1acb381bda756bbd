// What the parts are given in which a computed field is designed.
import type { DesignChoices } from "../../../../../client/design/design.ts";
import type { ComputedDefinition } from "../../../../../contract/record-type.ts";
import type { DraftField, FieldChanges, TypeDraft } from "../type-draft.ts";

export interface ComputedProps<Computed extends ComputedDefinition = ComputedDefinition> {
  readonly field: DraftField;
  readonly computed: Computed;
  readonly draft: TypeDraft;
  /** The field as it is stored. */
  readonly stored: DraftField | undefined;
  readonly choices: DesignChoices;
  readonly error: (path: string) => string | undefined;
  readonly onChange: (changes: FieldChanges) => void;
}
