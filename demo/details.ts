// Field values that records of several types are given: tags, places, addresses, flags, amounts.
import { tags } from "../server/modules/crm/choices.ts";
import type { Organization } from "./invent.ts";
import type { Random } from "./random.ts";
import type { MasterId } from "./row.ts";

type Tag = (typeof tags)[number]["value"];

/** Each tag by its own chance, in the order in which the field lists them. */
export function drawTags(random: Random, chances: Partial<Record<Tag, number>>): string | null {
  const drawn = tags.filter(({ value }) => random.chance(chances[value] ?? 0));
  return drawn.length === 0 ? null : drawn.map(({ value }) => value).join(";");
}

/** Somewhere in the organization's city. */
export function drawPlace(random: Random, { city }: Organization): string {
  const near = (degrees: number) => (degrees + random.normal(0, 0.03)).toFixed(6);
  return `${near(city.latitude)},${near(city.longitude)}`;
}

export interface AddressParts {
  readonly [part: string]: string | null;
  readonly address_line_1: string;
  readonly address_line_2: string | null;
  readonly city: string;
  readonly state_id: string | null;
  readonly zip: string;
  readonly country_id: string;
}

export function addressParts({ street, zip, city, country }: Organization, masterId: MasterId): AddressParts {
  return {
    address_line_1: street,
    address_line_2: null,
    city: city.name,
    state_id: city.state === null ? null : masterId("masters/states", city.state),
    zip,
    country_id: masterId("masters/countries", country.iso2),
  };
}

export const flag = (value: boolean): "0" | "1" => (value ? "1" : "0");
export const amountText = (amount: number): string => amount.toFixed(2);
export const websiteOf = ({ domain }: Organization): string => `https://www.${domain}/`;
