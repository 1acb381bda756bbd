// The writes that people make while others read: mostly edits of one value, some new leads.

import type { Asked } from "../load/http-load.ts";
import type { Universe } from "../organization/universe.ts";
import { vocabulary } from "../organization/vocabulary.ts";
import type { Random } from "./random.ts";

const save = { save_progress: "Save" };

/** One value of one lead, mostly another one than it had. */
export const editValues = {
  score: (random: Random) => ({ score: String(random.integer(0, 100)) }),
  city: (random: Random) => ({ city: random.pick(vocabulary.cities) }),
  description: (random: Random) => ({ description: `Called ${random.integer(1, 1_000_000)} times about the offer.` }),
} as const;
export type EditedField = keyof typeof editValues;
export const editedFields = Object.keys(editValues) as EditedField[]; // the keys of a constant object

export const editOf = (id: number | string, values: Readonly<Record<string, string>>): Asked => ({
  path: "/crm/leads/edit.json",
  body: JSON.stringify({ data: { leads: { id: String(id), ...values }, action: save } }),
});

const run = Date.now().toString(36);
let added = 0;

/** Another one each time, in this run and in every later one on the same data: a lead that was added before is a duplicate. */
export function nextEmail(name: string): string {
  added += 1;
  return `${name}.${run}${added.toString(36)}@new.example`.toLowerCase();
}

/** `number`: stands in the email address, for whoever must know it; the next one unless told. */
export function addOf(random: Random, children: boolean, number?: string): Asked {
  const lastName = random.pick(vocabulary.lastNames);
  const email = number === undefined ? nextEmail(lastName) : `${lastName}.${number}@new.example`.toLowerCase();
  const leads = {
    first_name: random.pick(vocabulary.firstNames),
    last_name: lastName,
    company_name: `${random.pick(vocabulary.companyWords)} ${random.pick(vocabulary.companyKinds)}`,
    email,
    source: "web",
    rating: "cold",
    score: String(random.integer(0, 100)),
    city: random.pick(vocabulary.cities),
    ...(children
      ? {
          addresses: [{ address_line_1: "1 Station Road", city: random.pick(vocabulary.cities) }],
          email_addresses: [{ email: `private.${email}` }],
        }
      : {}),
  };
  return { path: "/crm/leads/add.json", body: JSON.stringify({ data: { leads, action: save } }) };
}

export const randomEdit = (universe: Universe, random: Random): Asked =>
  editOf(random.integer(1, universe.rows), editValues[random.pick(editedFields)](random));

/** Four edits to one add. */
export const writeTraffic =
  (universe: Universe): ((random: Random) => Asked) =>
  (random) =>
    random.next() < 0.8 ? randomEdit(universe, random) : addOf(random, false);
