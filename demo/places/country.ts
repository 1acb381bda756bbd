// What a country of the demo has: who lives there, where, and how addresses and phone numbers look.
// `#` stands for a digit. Phone ranges are those reserved for fiction, or begin with a digit that is never assigned.
import type { CultureName } from "../names.ts";

export type Region = "emea" | "americas" | "apac";

export interface City {
  readonly name: string;
  /** ISO 3166-2, or null where a country has no such level in its addresses. */
  readonly state: string | null;
  readonly latitude: number;
  readonly longitude: number;
  readonly zip: string;
  readonly weight: number;
}

export interface Country {
  readonly iso2: string;
  readonly region: Region;
  readonly weight: number;
  readonly locale: string;
  /** Hours from UTC in winter at its largest city. */
  readonly offset: number;
  readonly cultures: readonly (readonly [CultureName, number])[];
  readonly phones: readonly string[];
  readonly mobiles: readonly string[];
  readonly legalForms: readonly string[];
  readonly streets: readonly string[];
  /** `{street}` and `{number}`. */
  readonly addressLine: string;
  readonly cities: readonly City[];
}

export const city = (
  name: string,
  state: string | null,
  latitude: number,
  longitude: number,
  zip: string,
  weight = 1,
): City => ({ name, state, latitude, longitude, zip, weight });
export const list = (text: string): readonly string[] => text.split(",");

export const after = "{street} {number}";
export const before = "{number} {street}";
