// What a computed field is once compiled: what it is worked out from, what has to be worked out before it, and what a reader must be
// allowed to see to see it. Plain data.
import type { Checked } from "../../../contract/formula/check-formula.ts";
import type { ResultShape } from "../../../contract/formula/evaluate-formula.ts";
import type { Permission } from "../../../contract/permissions.ts";
import type { PolicyEntry, RecordTypeKey, RollUpFunction } from "../../../contract/record-type.ts";

/** A field that a value is derived from, with what its type declares for everybody. */
export interface Reading {
  readonly type: RecordTypeKey;
  readonly field: string;
  readonly permission: Permission;
}

/** Records of another type that a value is derived from, whether or not a reader may read each of them. */
export interface Crossing {
  readonly type: RecordTypeKey;
  /** Who reads all of its records by the type's own policy. */
  readonly read: readonly PolicyEntry[];
  /** Whoever reads the record reads these along: they are its own, or everybody's. */
  readonly comesAlong: boolean;
  /** Some of its records are their owner's alone, whatever the policy says. */
  readonly isPersonal: boolean;
  /** The designer shows it to people who can't read them all. */
  readonly reveals: boolean;
}

interface Basis {
  /** How many others have to be worked out one after the other before it. */
  readonly layer: number;
  /** Fields of the same record that it is worked out from directly. */
  readonly own: ReadonlySet<string>;
  /** All fields that it is derived from, at any distance. */
  readonly reads: readonly Reading[];
  readonly crosses: readonly Crossing[];
}

export interface LookupStep {
  /** The reference of the record before. */
  readonly via: string;
  readonly type: RecordTypeKey;
  /** The field of this type that is needed: the next reference, or the value. */
  readonly field: string;
}

export type Computation = Basis &
  (
    | { readonly kind: "formula"; readonly checked: Checked; readonly shape: ResultShape }
    | { readonly kind: "lookup"; readonly steps: readonly LookupStep[] }
    | {
        readonly kind: "roll-up";
        readonly type: RecordTypeKey;
        readonly via: string;
        readonly function: RollUpFunction;
        readonly field: string | undefined;
        readonly where: Checked | undefined;
        /** Fields of those records whose change changes it. */
        readonly from: ReadonlySet<string>;
        readonly shape: ResultShape;
      }
  );

/** Fields of one type that can be worked out together. */
export interface ComputedStep {
  readonly type: RecordTypeKey;
  readonly fields: readonly string[];
}
