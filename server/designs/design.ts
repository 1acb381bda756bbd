// What a design is once it leaves an installation: things by kind and key, each a JSON document with nothing in it that belongs to
// one database alone. Takes such documents, gives them checked in shape; what needs the database is checked when they are applied.
import { z } from "zod";
import { isAddress } from "../../contract/navigation/address.ts";
import { type Language, languageNames, languages } from "../../contract/texts/languages.ts";
import { oneLine } from "../fields/columns/plain-text.ts";
import { MOST_LABELS } from "../labels/glossary.ts";

/** In the order in which they are applied: what others refer to comes first. */
export const designKinds = [
  "record_types",
  "extensions",
  "roles",
  "policies",
  "forms",
  "workflows",
  "views",
  "navigation",
  "translations",
  "records",
] as const;
export type DesignKind = (typeof designKinds)[number];

export const DESIGN_FORMAT = "dossier-design";
export const DESIGN_VERSION = 1;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Content = { readonly [key: string]: Json };

export interface DesignItem {
  readonly kind: DesignKind;
  /** Known by it within its kind, in every installation. */
  readonly key: string;
  readonly content: Content;
}

export interface Design {
  readonly name: string;
  readonly description: string;
  readonly items: readonly DesignItem[];
}

/** Its message is for whoever gave the design. */
export class DesignFileFault extends Error {}

const code = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/);
const typeKey = z.string().regex(/^[a-z][a-z0-9_]{0,39}\/[a-z][a-z0-9_]{0,39}$/);
const text = z.string().trim().min(1).max(255);
const note = z.string().max(20_000).nullable().optional();
const json = z.record(z.string(), z.unknown());
const id = z.uuid();
/** A label or a translation, as both are stored. */
const word = z.string().transform(oneLine).pipe(z.string().min(1).max(500));

const schemas = {
  record_types: z.looseObject({ module: code, controller: code }),
  extensions: z.looseObject({ extends: typeKey }),
  roles: z.strictObject({
    code,
    name: text,
    description: note,
    is_administrator: z.boolean().optional(),
    is_signup_role: z.boolean().optional(),
    operations: z.record(z.string(), z.array(z.string().max(40)).max(40)),
    fields: z.record(z.string(), z.record(z.string(), z.int())).optional(),
  }),
  policies: z.strictObject({ record_type: typeKey, policy: json }),
  forms: z.strictObject({
    id,
    controller: typeKey,
    name: text,
    definition: json,
    is_default: z.boolean(),
    description: note,
  }),
  workflows: z.strictObject({
    id,
    controller: typeKey,
    name: text,
    definition: json,
    is_active: z.boolean(),
    description: note,
  }),
  views: z.strictObject({
    id,
    controller: typeKey,
    name: text,
    query: json,
    category: text.optional(),
    sequence: z.int().optional(),
    is_default: z.boolean(),
    is_pinned: z.boolean().optional(),
    dashboard_sequence: z.int().optional(),
    description: note,
  }),
  navigation: z.strictObject({
    name: code,
    label: z.string().trim().min(1).max(80),
    icon: z.string().max(60).nullable().optional(),
    is_active: z.boolean(),
    hidden_for: z.array(code).max(50),
    /** Among all modules. */
    position: z.int().optional(),
    entries: z
      .array(
        z.strictObject({
          key: code,
          label: z.string().trim().min(1).max(80),
          url: z.string().max(255).refine(isAddress, "must be a path of this app, or an address with http or https"),
          icon: z.string().max(60).nullable().optional(),
          is_active: z.boolean(),
          hidden_for: z.array(code).max(50),
        }),
      )
      .max(500),
  }),
  /** The organization's own words in a language. Null: one that is taken away. */
  translations: z.strictObject({
    language: z.enum(languages),
    labels: z
      .array(z.strictObject({ label: word, translation: word.nullable() }))
      .max(MOST_LABELS)
      .refine((list) => new Set(list.map(({ label }) => label)).size === list.length, "a label is there twice"),
  }),
  records: z.strictObject({
    record_type: typeKey,
    records: z.array(z.looseObject({ id: z.string().regex(/^[a-z0-9-]{1,80}$/) })).max(1_000),
  }),
} as const satisfies Record<DesignKind, z.ZodType>;

/** What each kind is known by. */
const keyOf: Readonly<Record<DesignKind, (content: Content) => string>> = {
  record_types: ({ module, controller }) => `${String(module)}/${String(controller)}`,
  extensions: (content) => String(content.extends),
  roles: (content) => String(content.code),
  policies: ({ record_type }) => String(record_type),
  forms: (content) => String(content.id),
  workflows: (content) => String(content.id),
  views: (content) => String(content.id),
  navigation: ({ name }) => String(name),
  translations: ({ language }) => String(language),
  records: ({ record_type }) => String(record_type),
};

/** A document of a kind; `place` is what whoever gave it calls it. */
export function readItem(kind: DesignKind, content: unknown, place: string): DesignItem {
  const parsed = schemas[kind].safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue && issue.path.length > 0 ? `: ${issue.path.join(".")}` : "";
    throw new DesignFileFault(
      `${place} isn't a valid document of ${kind}${where}: ${issue?.message ?? "wrong shape"}.`,
    );
  }
  // Was JSON before zod looked at it.
  const read = parsed.data as Content;
  return { kind, key: keyOf[kind](read), content: read };
}

/** What people call it. */
export function nameOf({ kind, key, content }: DesignItem): string {
  const { name, label, plural } = content;
  if (kind === "record_types" && typeof plural === "string") return `${plural} (${key})`;
  if ((kind === "forms" || kind === "views" || kind === "workflows") && typeof name === "string")
    return `${name} (${String(content.controller)})`;
  if (kind === "translations") return languageNames[key as Language].name;
  const called = kind === "navigation" ? label : name;
  return typeof called === "string" ? `${called} (${key})` : key;
}

/** Keys in one order, without those that say nothing: two that mean the same are written the same. */
export function sortedJson(value: unknown): Json {
  if (Array.isArray(value)) return value.map(sortedJson);
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
  }
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, sortedJson(one)]));
}

export const isSameJson = (a: unknown, b: unknown): boolean =>
  JSON.stringify(sortedJson(a)) === JSON.stringify(sortedJson(b));
