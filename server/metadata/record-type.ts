// What a record type is once compiled: the immutable RecordType that everything past the snapshot works with. Built-in and
// run-time types end up as the same thing. What a designer writes is contract/record-type.ts.
import type { AccessPolicy, AssociationDefinition, RecordTypeKey, Refusals } from "../../contract/record-type.ts";
import type { Column, Field } from "../fields/field-type.ts";
import type { Computation } from "./computed/computation.ts";
import type { RecordChoices } from "./rules/record-choices.ts";
import type { RecordRule } from "./rules/record-rule.ts";
import type { StartsFrom } from "./rules/starts-from.ts";

export type {
  AccessPolicy,
  AssociationDefinition,
  FieldDefinition,
  Grantee,
  PolicyEntry,
  RecordTypeDefinition,
  RecordTypeKey,
  Refusals,
  RuleDefinition,
} from "../../contract/record-type.ts";

/** Derived from a reference field, or as defined. */
export type Association =
  | {
      readonly kind: "belongs-to";
      readonly name: string;
      readonly label: string;
      readonly type: RecordTypeKey;
      readonly via: string;
    }
  | (Exclude<AssociationDefinition, { kind: "belongs-to-any" }> & { readonly label: string })
  | { readonly kind: "belongs-to-any"; readonly name: string; readonly label: string };

export interface RecordType {
  readonly key: RecordTypeKey;
  readonly module: string;
  readonly controller: string;
  /** What rows, `data` and errors are keyed by: the controller. */
  readonly alias: string;
  readonly table: string;
  /** Every name that stands for it in front of a column and in `data`: its controller, then its aliases. */
  readonly names: readonly string[];
  /** Alias → field. */
  readonly fieldAliases: ReadonlyMap<string, string>;
  readonly label: string;
  readonly plural: string;
  /** Both as they stand within a sentence: "2 leads". */
  readonly noun: string;
  readonly nouns: string;
  readonly icon: string | undefined;
  readonly scope: "organization" | "shared";
  readonly idKind: "integer" | "uuid";
  readonly displayField: string;
  /** What references to it are sorted by. */
  readonly sortField: string;
  /** Every field, system fields included, in order. */
  readonly fields: readonly Field[];
  readonly field: ReadonlyMap<string, Field>;
  /** How the values of computed fields are worked out, by field. */
  readonly computed: ReadonlyMap<string, Computation>;
  /** What must be true of a record to be saved. */
  readonly rules: readonly RecordRule[];
  /** By reference field: which records it can name. */
  readonly choices: ReadonlyMap<string, RecordChoices>;
  /** By field: which value of a record that a new one names it starts with. */
  readonly startsFrom: ReadonlyMap<string, StartsFrom>;
  /** The columns behind each field. */
  readonly columns: ReadonlyMap<string, readonly Column[]>;
  readonly associations: readonly Association[];
  readonly association: ReadonlyMap<string, Association>;
  readonly access: AccessPolicy;
  readonly categories: boolean;
  readonly businessKey: { readonly prefix: string; readonly digits: number } | undefined;
  readonly allowComments: boolean;
  readonly personalFlag: string | undefined;
  readonly follows: "read" | "edit" | undefined;
  readonly confidential: boolean;
  /** The field that names the record type that a record is about, and which of those types are confidential. */
  readonly about:
    | {
        readonly field: string;
        readonly confidential: ReadonlySet<RecordTypeKey>;
        /** What the role matrix must allow on that type for the record to be there. */
        readonly needs?: "import" | undefined;
      }
    | undefined;
  readonly movesUnlogged: boolean;
  readonly unique: readonly (readonly string[])[];
  readonly indexes: readonly (readonly string[])[];
  readonly duplicates: readonly (readonly string[])[];
  /** Whether organizations may give it forms of their own. */
  readonly takesForms: boolean;
  readonly hidden: boolean;
  /** What other records are sorted and filled by: part of administration, not of the daily work. */
  readonly isSetup: boolean;
  readonly appendOnly: boolean;
  readonly refuses: Refusals;
  readonly origin: "built-in" | "run-time";
  /** While the text that words are looked for in is not there yet for all records. */
  readonly isSearchFilling?: true;
  /** Removed fields whose names its fields have by now. */
  readonly former?: readonly FormerField[];
}

/** What entries of the history with these ids say under these names is of a field that was removed. */
export interface FormerField {
  readonly names: readonly string[];
  readonly after: string;
  readonly upTo: string;
}
