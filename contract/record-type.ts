// What a record type is when somebody writes it down: a module file, or a designer over the wire. Types and names alone;
// server/metadata/definition-schema.ts holds definitions to them.
import type { FieldTypeId } from "./field-types.ts";
import type { Permission, RecordRight } from "./permissions.ts";
import type { Language } from "./texts/languages.ts";

/** `<module>/<controller>`, such as `crm/leads`. */
export type RecordTypeKey = string;

/** How a roll-up comes to one value. */
export const rollUpFunctions = ["count", "sum", "min", "max", "average"] as const;
export type RollUpFunction = (typeof rollUpFunctions)[number];

/** Where the values of a field come from that nobody types. The field's own type is what they are. */
export type ComputedDefinition =
  | { readonly kind: "formula"; readonly formula: string }
  /** The value of `field` of the record that the references `through` lead to, one after the other. */
  | {
      readonly kind: "lookup";
      readonly through: readonly string[];
      readonly field: string;
      readonly reveals?: boolean;
    }
  /** Of all records of `type` whose reference `via` names this record, or those of them that `where` is true for. */
  | {
      readonly kind: "roll-up";
      readonly type: RecordTypeKey;
      readonly via: string;
      readonly function: RollUpFunction;
      /** What is counted, added up or compared; a count without it counts records. */
      readonly field?: string;
      readonly where?: string;
      /** Also for people who can't read each of those records. */
      readonly reveals?: boolean;
    };

export interface FieldDefinition {
  readonly name: string;
  readonly label?: string;
  readonly type: FieldTypeId;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly required?: boolean;
  readonly unique?: boolean;
  readonly sortable?: boolean;
  readonly searchable?: boolean;
  /** People sort long lists by it: it gets an index of its own. */
  readonly indexed?: boolean;
  readonly permission?: Permission;
  /** A hidden field (permission 1) that is written as others are. What it says is told by an operation, as far as each reader may know it. */
  readonly writeOnly?: boolean;
  /** A read-only field (permission 4) that the effects of workflows fill in. */
  readonly setByWorkflow?: boolean;
  readonly help?: string;
  readonly initial?: string;
  /** Worked out when a record is made, in place of `initial`: `today(14)`, `me()`, `currency()`; or taken over from a record that it names: `order.currency_id`. */
  readonly initialFormula?: string;
  /** Of a reference: which records can be chosen, by their fields and those of the record itself: `is_active and site_id = record.site_id`. */
  readonly where?: string;
  /** Worked out by the service, in place of being typed. */
  readonly computed?: ComputedDefinition;
  /** Other names that programs send and ask for it by. */
  readonly aliases?: readonly string[];
}

/** What must be true of every record that is saved; judged when one of the fields changes that it names. */
export interface RuleDefinition {
  readonly name: string;
  /** As in computed fields, with `today()` and `now()` beside. */
  readonly formula: string;
  /** What is said where it is not true. */
  readonly message: string;
  /** The same in other languages. */
  readonly messages?: Readonly<Partial<Record<Language, string>>>;
  /** The field where it is said; else the first that the formula names. */
  readonly field?: string;
}

export type AssociationDefinition =
  /** Children that carry a reference field to this type. `owned`: they live and die with the record. */
  | {
      readonly kind: "has-many";
      readonly name: string;
      readonly label?: string;
      readonly type: RecordTypeKey;
      readonly via: string;
      readonly owned?: boolean;
      /** They come with the record, to be read. */
      readonly shown?: boolean;
    }
  /** Records on the far side of a joining type: `via` points here, `to` points there. */
  | {
      readonly kind: "has-many-through";
      readonly name: string;
      readonly label?: string;
      readonly type: RecordTypeKey;
      readonly through: RecordTypeKey;
      readonly via: string;
      readonly to: string;
    }
  /** Children of any type: their `related_type` and `related_id` name the parent. */
  | {
      readonly kind: "has-many-polymorphic";
      readonly name: string;
      readonly label?: string;
      readonly type: RecordTypeKey;
      readonly owned?: boolean;
      /** Files that must be pictures. */
      readonly files?: "pictures";
    }
  /** This record belongs to a record of any type, named by its own `related_type` and `related_id`. */
  | { readonly kind: "belongs-to-any"; readonly name: string; readonly label?: string };

/** Who a policy can speak of. A role is named by its code; a field of the record is one that refers to users, groups or roles. */
export type Grantee =
  | "owner"
  | "owner_groups"
  | "primary_group"
  | "organization"
  | "everyone"
  | `role:${string}`
  | `field:${string}`;

/** A grantee who has the right on those records only for which a formula holds. */
export interface ConditionalGrant {
  readonly to: Grantee;
  readonly when: string;
}

export type PolicyEntry = Grantee | ConditionalGrant;

export type AccessPolicy = { readonly [Right in RecordRight]: readonly PolicyEntry[] };

export interface RecordTypeDefinition {
  readonly module: string;
  readonly controller: string;
  /** Other controllers of the module under which programs know it: `people` for `peoples`. */
  readonly aliases?: readonly string[];
  readonly label: string;
  readonly plural: string;
  readonly icon?: string;
  /** `shared`: one table for all organizations, read by everybody, written by the operator (countries, currencies). */
  readonly scope?: "organization" | "shared";
  /** Business records count up; metadata records have UUIDs. */
  readonly idKind?: "integer" | "uuid";
  readonly displayField: string;
  /** What references to it are sorted by; else by what they show. */
  readonly sortField?: string;
  readonly fields: readonly FieldDefinition[];
  readonly associations?: readonly AssociationDefinition[];
  readonly access: AccessPolicy;
  /** Records of this type are sorted into categories (`category_id`). */
  readonly categories?: boolean;
  readonly businessKey?: { readonly prefix: string; readonly digits: number };
  readonly allowComments?: boolean;
  /** A flag field: a record without it is read by the whole organization, beyond what the policy says. */
  readonly personalFlag?: string;
  /**
   * A record of this type is attached to a record of any type and is there for those who may read that one. `read`: who may
   * change it is its own policy's to say. `edit`: whoever may edit that record may change and delete it.
   */
  readonly follows?: "read" | "edit";
  /**
   * A field that names the record type that a record is about: `related_type` of what belongs to a record of any type. What is
   * about a confidential type is confidential too.
   */
  readonly about?: string;
  /** What the role matrix must allow on the type that a record is about for the record to be there. Built-in types only. */
  readonly aboutNeeds?: "import";
  /** Only those whom a record's sets name read it: here administrators do not pass them. */
  readonly confidential?: boolean;
  /** Some of its columns move without an entry in the log of changes (a last login): nothing of it is kept. */
  readonly movesUnlogged?: boolean;
  /** Each record is its own owner, as users are; nobody hands one over. Built-in types only. */
  readonly ownsItself?: boolean;
  /** Combinations of fields that must be unique within an organization. */
  readonly unique?: readonly (readonly string[])[];
  readonly indexes?: readonly (readonly string[])[];
  readonly rules?: readonly RuleDefinition[];
  /** Fields, or `<children>.<field>`, whose values are compared with one another: equal ones make a save warn. */
  readonly duplicates?: readonly (readonly string[])[];
  /** Organizations may give it forms of their own. A built-in type opts in; a run-time type always has it. */
  readonly forms?: boolean;
  /**
   * Its records can go through a workflow: they carry a stage, and effects write to them. A built-in type opts in; a
   * run-time type has it unless it is hidden, shared or known by UUIDs.
   */
  readonly workflow?: boolean;
  /** Not offered in the navigation: children and bookkeeping. */
  readonly hidden?: boolean;
  /** What other records are sorted and filled by: shown under Administration, to those who can change it. */
  readonly setup?: boolean;
  /** Rows are only ever added: the database itself refuses to change or remove one. */
  readonly appendOnly?: boolean;
  /** People only read it, whatever their roles say. */
  readonly writtenByService?: boolean;
  /** What else nobody does to its records. */
  readonly refuses?: Refusals;
}

/** What nobody does to records of a type, whatever their roles say, each with the sentence that says why. */
export type Refusals = Readonly<Partial<Record<"add" | "edit" | "delete", string>>>;
