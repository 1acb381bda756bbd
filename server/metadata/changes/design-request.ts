// What is asked for when a design is saved, and what becomes of it.
import type { Readable, TimeLimit } from "./convert-fields.ts";

export interface DesignRequest {
  readonly definition: unknown;
  /** Fields that may go, with their values kept aside. Without being named here a missing field is refused. */
  readonly discard?: readonly string[];
  /** Fields whose type may change. */
  readonly convert?: readonly string[];
  /** Removed fields that the definition has again, to come back with their values. */
  readonly restore?: readonly string[];
  /** Which one of the bin, where a name was removed more than once; the newest, unless said. */
  readonly restoredFrom?: string;
  /** It was in force before, or is in force elsewhere: options that its conditions name may be gone. */
  readonly comesBack?: boolean;
  /** Refused where there is such a type already. */
  readonly isNew?: boolean;
  /** What the change was made on (`definitionRevision`); refused where somebody else saved meanwhile. */
  readonly revision?: string | undefined;
  /** It will be taken back: values of large tables are looked through, and written only where unique ones become empty. */
  readonly rehearses?: boolean;
  /** For as long as values are looked through. */
  readonly limit?: TimeLimit | undefined;
  /** Only values of these records are told where they do not fit; none, unless said. */
  readonly readable?: Readable;
}

export interface DesignResult {
  readonly key: string;
  readonly discardedValues: number;
  readonly convertedValues: number;
  /** Fields with another name: old → new. */
  readonly renamed: Readonly<Record<string, string>>;
  /** What can be brought back, by its id in the bin. */
  readonly removed: readonly string[];
}
