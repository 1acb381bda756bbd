// What a program's record types look like to the compiler. `dossier types` writes them; without, every field is a text or null.
import type { WireChild, WireValue } from "../records/records.ts";

/** One record type, as `dossier types` writes it. */
export interface Shape {
  /** As `read` gives it. */
  readonly record: object;
  /** As `save` takes it. */
  readonly input: object;
  /** From reference fields to the record types that they point to. */
  readonly references: object;
}

/** All of them, by their keys such as `crm/leads`. */
export type Shapes<Types> = { readonly [Key in keyof Types]: Shape };

export interface AnyShape extends Shape {
  readonly record: {
    readonly id: string;
    readonly [field: string]: WireValue | readonly WireChild[];
  };
  readonly input: { readonly [field: string]: Sent };
  readonly references: Readonly<Record<string, string>>;
}

export type AnyTypes = Readonly<Record<string, AnyShape>>;

/** A value as it is sent: texts, numbers and flags, files, the parts of an address, the rows of children. */
export type Sent =
  | string
  | number
  | boolean
  | null
  | undefined
  | Blob
  | readonly Sent[]
  | { readonly [part: string]: Sent };

export type KeyOf<Types> = keyof Types & string;

export type RecordOf<Types extends Shapes<Types>, Key extends KeyOf<Types>> = Types[Key]["record"];
export type InputOf<Types extends Shapes<Types>, Key extends KeyOf<Types>> = Types[Key]["input"];

/** Names that lists can show: the record's own fields. */
type OwnField<Record> = Exclude<keyof Record & string, `__${string}`>;

type Target<Types, References, Field extends keyof References> = References[Field] & keyof Types;

/** A field of the record, or, through a reference, one of the record that it points to: `company_id.city`. */
export type Path<Types extends Shapes<Types>, Key extends KeyOf<Types>> =
  | OwnField<Types[Key]["record"]>
  | {
      [Field in keyof Types[Key]["references"] &
        string]: `${Field}.${OwnField<Types[Target<Types, Types[Key]["references"], Field>]["record"]>}`;
    }[keyof Types[Key]["references"] & string];

/** In lists a value is one text. */
type Listed<Value> = [Value] extends [string | null] ? Value : string | null;

type ListedAt<Types extends Shapes<Types>, Key extends KeyOf<Types>, Name> = Name extends keyof Types[Key]["record"]
  ? Listed<Types[Key]["record"][Name]>
  : Name extends `${infer Field}.${infer Further}`
    ? Field extends keyof Types[Key]["references"]
      ? Further extends keyof Types[Target<Types, Types[Key]["references"], Field>]["record"]
        ? Listed<Types[Target<Types, Types[Key]["references"], Field>]["record"][Further]> | null
        : string | null
      : string | null
    : string | null;

/** A record of a list: its id, and the fields that were asked for. */
export type Row<Types extends Shapes<Types>, Key extends KeyOf<Types>, Fields extends string> = {
  readonly id: string;
} & { readonly [Name in Exclude<Fields, "id">]: ListedAt<Types, Key, Name> };
