// What a field is once compiled, and what a field type must be able to do. A value has three shapes only:
// wire (what a client sends and gets), row (the text that PostgreSQL takes and gives, one per column), and the
// parsed row on its way into a plan. Only field types convert between them.
import type { z } from "zod";
import type { Expression } from "../../contract/expressions.ts";
import type { FieldSettings, FieldTypeId } from "../../contract/field-types.ts";
import type { Formats } from "../../contract/formats.ts";
import type { ValueKind } from "../../contract/formula/check-formula.ts";
import type { ResultShape } from "../../contract/formula/evaluate-formula.ts";
import type { Fault } from "../../contract/messages.ts";
import type { Permission } from "../../contract/permissions.ts";
import type { ComputedDefinition } from "../../contract/record-type.ts";

export interface Field<Settings = unknown> {
  readonly name: string;
  readonly label: string;
  /** Its label as it was defined, where `label` is a translation of it: names on the wire are made of this one. */
  readonly original?: string;
  readonly type: FieldTypeId;
  /** Validated by the type's own schema, defaults filled in. */
  readonly settings: Settings;
  readonly required: boolean;
  readonly unique: boolean;
  readonly sortable: boolean;
  readonly searchable: boolean;
  /** Lists sorted by it walk an index. */
  readonly indexed: boolean;
  /** The static declaration; roles, forms and operations can only narrow it. */
  readonly permission: Permission;
  /** Hidden from all, and written by whoever may edit the record. */
  readonly writeOnly?: true;
  /** A read-only field that the effects of workflows fill in. */
  readonly setByWorkflow: boolean;
  readonly help: string | undefined;
  /** A wire value that an empty form starts with. */
  readonly initial: string | undefined;
  /** What is worked out in its place. */
  readonly starts: Expression | undefined;
  /** Kept by the service: sent values are accepted and not written. */
  readonly system: boolean;
  /** What its values are worked out from; nobody types them. */
  readonly computed?: ComputedDefinition | undefined;
}

/** What a field is called whoever reads it: names on the wire are made of it. */
export const originalLabel = ({ label, original }: Pick<Field, "label" | "original">): string => original ?? label;

/** What the service fills in by itself: sent values are accepted and not written. */
export const isFilledIn = ({ system, computed }: Pick<Field, "system" | "computed">): boolean =>
  system || computed !== undefined;

export interface Column {
  readonly name: string;
  /** The SQL type as PostgreSQL's format_type() spells it, without collation. */
  readonly type: string;
  /** A collation name, for text that people sort by. */
  readonly collation?: string;
}

export type RowValue = string | null;

export type Parsed =
  | { readonly ok: true; readonly row: readonly RowValue[] }
  | { readonly ok: false; readonly errors: readonly Fault[] };

/** What reading a sent value may depend on, besides the field. */
export interface ParseContext {
  readonly locale: string;
  readonly timeZone: string;
}

/** How a reader writes numbers, times and answers. */
export interface Habits {
  readonly formats: Formats;
  /** Its code, where the value is an amount and the currency is known. */
  readonly currency: string | undefined;
  readonly yes: string;
  readonly no: string;
}

export type WireValue = string | null | { readonly [part: string]: string | null };

export const operators = [
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "in",
  "not in",
  "between",
  "contains",
  "starts with",
  "ends with",
  "is null",
  "is not null",
] as const;
export type Operator = (typeof operators)[number];

/** How a form shows a field, in the wire's words: which template draws it, and in which of its ways. */
export interface FieldInput {
  readonly template: "input" | "textarea" | "checkbox" | "select" | "date" | "reference" | "address" | "upload" | "map";
  readonly method: string;
}

/** What a client can check before it sends. The judge is `parse`. */
export interface FieldRule {
  readonly rule: string;
  readonly params: readonly (string | number)[];
  readonly message: Fault;
}

/** A record that a stored value names; `part` where the value has several. */
export interface NamedRecord {
  readonly type: string;
  readonly id: string;
  readonly part?: string;
}

/** What a place takes of files. */
export interface FileRule {
  readonly maxBytes: number;
  /** Media types, `image/*` for all of a kind; empty: everything. */
  readonly accept: readonly string[];
  /** Only what can be drawn: JPEG, PNG, WebP, GIF. */
  readonly pictures: boolean;
}

/** Where a word of a search is looked for. */
export type WordSearch =
  /** Any of these comparisons holds. */
  | { readonly by: "value"; readonly any: readonly { readonly operator: Operator; readonly values: string[] }[] }
  /** In the value, unless the record's own texts are kept for searching anyway. */
  | { readonly by: "words" }
  /** In the text that lists show. */
  | { readonly by: "text" }
  /** In what the record is called that the value names. */
  | { readonly by: "name" };

export interface FieldType<Settings = unknown> {
  readonly id: FieldTypeId;
  readonly label: string;
  readonly input: FieldInput;
  /** What else its input needs to know, as keys of the form element. */
  inputSettings?(field: Field<Settings>): Readonly<Record<string, unknown>>;
  /** What a client must know of a field to show its values; it stands in schemas, forms and lists. */
  clientSettings?(field: Field<Settings>): FieldSettings | undefined;
  /** The settings with what people read of them in another language; types without this have no such text. */
  translate?(settings: Settings, words: (label: string) => string): Settings;
  rules?(field: Field<Settings>): readonly FieldRule[];
  /** The records that a value names: they must exist and be readable to be saved. */
  references?(row: readonly RowValue[], field: Field<Settings>): readonly NamedRecord[];
  /** What may be uploaded into it; types with this hold files. */
  fileRule?(field: Field<Settings>): FileRule;
  /** How people read a wire value, where it is not the value itself. */
  display?(wire: WireValue, field: Field<Settings>): string | null;
  /** How a reader writes a value (the text that lists have), where that depends on the reader's habits. */
  write?(text: string, field: Field<Settings>, habits: Habits): string;
  /** Of an amount: the field of the same record that names its currency; undefined: the organization's. */
  currencyField?(field: Field<Settings>): string | undefined;
  /** The record type whose records its values name, by the settings of a field; types without this name none. */
  target?(settings: unknown): string | undefined;
  /** Its values are one, or several, of the field's options. */
  readonly picks?: "one" | "several";
  /** The values of these options. */
  options?(field: Field<Settings>): readonly string[];
  /** Its values are yes and no. */
  readonly isYesNo?: boolean;
  /** Its values are addresses to send mail to. */
  readonly isMailAddress?: boolean;
  /** People type it in one line, as they type names. */
  readonly isName?: boolean;
  /** Too long, or no text at all, for a column that nobody asked for. */
  readonly isLong?: boolean;
  /** The text of a number that the service gives in turn; types with this are filled in by the service. */
  running?(number: bigint, field: Field<Settings>, day: string): string;
  /** Of such numbers: the part of a day within which they run on; empty where they never begin anew. */
  period?(field: Field<Settings>, day: string): string;
  /** How records are found by one word of a search in what a list shows; undefined: not by this word. */
  findWord?(word: string, field: Field<Settings>): WordSearch | undefined;
  /** What its values are to formulas; values of types without this stand in none. */
  readonly value?: ValueKind;
  /** What it holds of a formula's result; types without this are no formula's result. */
  result?(field: Field<Settings>): ResultShape;
  /** What shows its values on another record, where that is no field of the same type and settings. */
  lookedUpAs?(settings: unknown): { readonly type: FieldTypeId; readonly settings: Readonly<Record<string, unknown>> };
  /** Amounts that are in the currency of their record: there is no sum of several. */
  hasOwnCurrency?(settings: unknown): boolean;
  /** What stands below a column of it: of what is not added up, the mean of all values. */
  readonly total?: "average";
  /** The values in the order in which people think of them, where that is not the alphabet's. */
  ranked?(field: Field<Settings>): readonly string[];
  /** `data_type` of a header object. */
  readonly dataType: string;
  /** What a designer may set for a field of this type; must accept `{}` unless something cannot be guessed. */
  readonly settings: z.ZodType<Settings>;
  readonly sortable: boolean;
  readonly searchable: boolean;
  readonly operators: readonly Operator[];
  /** At least one; the first carries the field's own name. */
  columns(field: Field<Settings>): readonly Column[];
  /** Wire → row texts in the very spelling in which PostgreSQL gives them back (so that text equality is equality). */
  parse(input: unknown, field: Field<Settings>, context: ParseContext): Parsed;
  /** As `parse`, for a value to compare with: it may lie outside of what the field itself can hold. Default: `parse`. */
  parseFilterValue?(input: unknown, field: Field<Settings>, context: ParseContext): Parsed;
  /** The SQL expression whose text is the list's wire value; `at` quotes a column of this field. */
  select(field: Field<Settings>, at: (column: string) => string): string;
  /** Row texts → the value in a record's `data`. */
  present(row: readonly RowValue[], field: Field<Settings>): WireValue;
  /** The SQL expression by which two values are taken for the same by people, immutable; null for nothing to compare. */
  likeness?(value: string): string;
  /** Where equal values can be spelt differently (JSON). Default: equality of texts. */
  same?(a: readonly RowValue[], b: readonly RowValue[]): boolean;
  /** What the conformance suite checks this type by. */
  readonly examples: {
    readonly settings: Readonly<Record<string, unknown>>;
    /** `text`: what `select` gives, where the wire value is an object. */
    readonly good: readonly { readonly sent: unknown; readonly wire: WireValue; readonly text?: string }[];
    readonly bad: readonly unknown[];
  };
}

/** A type whose settings only it knows; what the registry hands out. */
// biome-ignore lint/suspicious/noExplicitAny: a heterogeneous registry; each entry is checked against its own Settings.
export type AnyFieldType = FieldType<any>;

export const refuse = (...errors: Fault[]): Parsed => ({ ok: false, errors });
export const accept = (...row: RowValue[]): Parsed => ({ ok: true, row });
export const nothing = (columns = 1): Parsed => ({ ok: true, row: Array<RowValue>(columns).fill(null) });

/** In form-data the empty string and the word null mean NULL; white space around them means nothing. */
export const isEmpty = (input: unknown): boolean =>
  input === null || input === undefined || (typeof input === "string" && /^\s*(?:null\s*)?$/u.test(input));

/** A sent scalar as text; objects and arrays give undefined. */
export function scalarText(input: unknown): string | undefined {
  if (typeof input === "string") return input;
  if (typeof input === "number" && Number.isFinite(input)) return String(input);
  if (typeof input === "boolean") return input ? "1" : "0";
  return undefined;
}

/** Reads a sent scalar: empty is NULL, an object or array is refused, the rest is the type's to read. */
export function parseScalar(input: unknown, expectation: Fault, read: (trimmed: string) => Parsed): Parsed {
  if (isEmpty(input)) return nothing();
  const text = scalarText(input)?.trim();
  return text === undefined ? refuse(expectation) : read(text);
}
