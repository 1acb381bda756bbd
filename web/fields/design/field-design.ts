// What a designer can do with a type of field: its icon, its own settings, and whether a new record can start with a value.
// Which input a setting has is setting-inputs.tsx. Here are also the settings that several types have.
import type { Icon } from "@tabler/icons-react";

export type SettingKind =
  | "count"
  | "limit"
  | "word"
  | "options"
  | "record-type"
  | "currency-field"
  | "megabytes"
  | "media-types"
  | "day"
  | "one-of"
  | "switch";

/** The names of all settings: each has its words. */
export type SettingName =
  | "maxLength"
  | "min"
  | "max"
  | "precision"
  | "scale"
  | "currencyField"
  | "options"
  | "to"
  | "maxBytes"
  | "accept"
  | "prefix"
  | "digits"
  | "reset"
  | "format"
  | "pattern"
  | "patternMessage"
  | "due";

/** What single settings can be. */
export type SettingChoice = "never" | "year" | "month" | "plain" | "markdown";

/** What a new record can start with that is worked out when it is made; each has its words. */
export const startFormulas = [
  "today()",
  "today(7)",
  "today(14)",
  "today(30)",
  "now()",
  "me()",
  "group()",
  "currency()",
] as const;
export type StartFormula = (typeof startFormulas)[number];

export interface SettingDesign {
  readonly name: SettingName;
  readonly kind: SettingKind;
  /** Of numbers. */
  readonly least?: number;
  readonly most?: number;
  /** What it is where nothing is said. */
  readonly usual?: number;
  /** What there is to choose from; the first is what it is where nothing is said. Each has its words. */
  readonly choices?: readonly SettingChoice[];
  /** It cannot be guessed. */
  readonly required?: boolean;
}

export interface FieldDesign {
  readonly icon: Icon;
  /** Default: none of its own. */
  readonly settings?: readonly SettingDesign[];
  /** A new record can start with a value of it. */
  readonly startsWith?: boolean;
  /** Formulas that a designer can choose for it, by what the field's settings are. */
  readonly formulas?: (settings: Readonly<Record<string, unknown>>) => readonly StartFormula[];
  /** The service fills it in. */
  readonly filledIn?: boolean;
  /** Found by searching unless the designer says otherwise. */
  readonly searched?: boolean;
}

export const length = (usual: number, most: number): SettingDesign => ({
  name: "maxLength",
  kind: "count",
  least: 1,
  most,
  usual,
});

export const places = (usual: number, most: number): SettingDesign => ({
  name: "scale",
  kind: "count",
  least: 0,
  most,
  usual,
});

/** The least and the most that a field takes. */
export const limits: readonly SettingDesign[] = [
  { name: "min", kind: "limit" },
  { name: "max", kind: "limit" },
];

export const dateLimits: readonly SettingDesign[] = [
  { name: "min", kind: "day" },
  { name: "max", kind: "day" },
];

export const pattern: readonly SettingDesign[] = [
  { name: "pattern", kind: "word" },
  { name: "patternMessage", kind: "word" },
];

export const options: SettingDesign = { name: "options", kind: "options", required: true };

export const megabytes = (usual: number, most: number): SettingDesign => ({
  name: "maxBytes",
  kind: "megabytes",
  least: 1,
  most,
  usual,
});

/** Whether a text is shown as it was written. */
export const format: SettingDesign = { name: "format", kind: "one-of", choices: ["plain", "markdown"] };

/** A day by which something has to be done. */
export const due: SettingDesign = { name: "due", kind: "switch" };
