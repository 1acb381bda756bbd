// The demo organization, the people who work there and the groups they work in. Data only.
import type { Region } from "./places/country.ts";

export const demoOrganization = {
  name: "Tarnholm Instruments",
  domain: "tarnholm.example",
  currency: "EUR",
  timeZone: "Europe/Stockholm",
  locale: "en-GB",
} as const;

export interface Colleague {
  readonly first: string;
  readonly last: string;
  readonly title: string;
  readonly manager: number | null;
  readonly role: string;
  readonly group: number | null;
  readonly timeZone: string;
  readonly locale: string;
}

const colleague = (
  first: string,
  last: string,
  title: string,
  manager: number | null,
  role: string,
  group: number | null,
  timeZone: string,
  locale: string,
): Colleague => ({ first, last, title, manager, role, group, timeZone, locale });

/** Groups by id; `within` is the group that contains it. */
export const groups = [
  { name: "Sales", description: "All sales staff", within: null },
  { name: "Sales EMEA", description: "Europe, Middle East and Africa", within: 1 },
  { name: "Sales Americas", description: "North and South America", within: 1 },
  { name: "Sales APAC", description: "Asia and the Pacific", within: 1 },
  { name: "Marketing", description: "Campaigns, events and the website", within: null },
  { name: "Customer Success", description: "Onboarding, support and renewals", within: null },
] as const;

export const groupOf: Readonly<Record<Region, number>> = { emea: 2, americas: 3, apac: 4 };
export const marketingGroup = 5;
export const supportGroup = 6;

/** Users by id, counted from 1. */
export const staff: readonly Colleague[] = [
  colleague("Tomasz", "Wróbel", "Systems Administrator", 2, "administrator", null, "Europe/Warsaw", "pl-PL"),
  colleague("Katarina", "Holm", "Managing Director", null, "sales_manager", null, "Europe/Stockholm", "sv-SE"),
  colleague("Daniel", "Okafor", "Chief Sales Officer", 2, "sales_manager", 1, "Europe/London", "en-GB"),
  colleague("Amélie", "Laurent", "Sales Director EMEA", 3, "sales_manager", 2, "Europe/Paris", "fr-FR"),
  colleague("Marcus", "Reid", "Sales Director Americas", 3, "sales_manager", 3, "America/Chicago", "en-US"),
  colleague("Yuki", "Tanaka", "Sales Director APAC", 3, "sales_manager", 4, "Asia/Tokyo", "ja-JP"),
  colleague("Jonas", "Weber", "Senior Account Executive", 4, "sales_rep", 2, "Europe/Berlin", "de-DE"),
  colleague("Sofía", "Navarro", "Account Executive", 4, "sales_rep", 2, "Europe/Madrid", "es-ES"),
  colleague("Oliver", "Hughes", "Account Executive", 4, "sales_rep", 2, "Europe/London", "en-GB"),
  colleague("Małgorzata", "Zielińska", "Account Executive", 4, "sales_rep", 2, "Europe/Warsaw", "pl-PL"),
  colleague("Giulia", "Ferri", "Sales Development Representative", 4, "sales_rep", 2, "Europe/Rome", "it-IT"),
  colleague("Hannah", "Brooks", "Senior Account Executive", 5, "sales_rep", 3, "America/New_York", "en-US"),
  colleague("Luis", "Hernández", "Account Executive", 5, "sales_rep", 3, "America/Mexico_City", "es-MX"),
  colleague("Mariana", "Souza", "Account Executive", 5, "sales_rep", 3, "America/Sao_Paulo", "pt-BR"),
  colleague("Étienne", "Gagnon", "Sales Development Representative", 5, "sales_rep", 3, "America/Toronto", "fr-CA"),
  colleague("Priya", "Nair", "Senior Account Executive", 6, "sales_rep", 4, "Asia/Kolkata", "en-IN"),
  colleague("Wei Ling", "Tan", "Account Executive", 6, "sales_rep", 4, "Asia/Singapore", "en-SG"),
  colleague("Liam", "Walsh", "Account Executive", 6, "sales_rep", 4, "Australia/Sydney", "en-AU"),
  colleague("Noor", "el-Amrani", "Head of Marketing", 2, "marketing", 5, "Europe/Amsterdam", "nl-NL"),
  colleague("Felix", "Brandt", "Campaign Manager", 19, "marketing", 5, "Europe/Berlin", "de-DE"),
  colleague("Chloé", "Dubois", "Web and Content Editor", 19, "marketing", 5, "Europe/Paris", "fr-FR"),
  colleague("Isabel", "Costa", "Head of Customer Success", 2, "support", 6, "Europe/Lisbon", "pt-PT"),
  colleague("Ravi", "Menon", "Customer Success Manager", 22, "support", 6, "Asia/Kolkata", "en-IN"),
  colleague("Ingrid", "Solberg", "Controller", 2, "read_only", null, "Europe/Oslo", "nb-NO"),
];

/** Who sells in a region, with how much of the work each takes; directors keep a few accounts of their own. */
export const sellers: Readonly<Record<Region, readonly { readonly id: number; readonly share: number }[]>> = {
  emea: [
    { id: 7, share: 28 },
    { id: 8, share: 20 },
    { id: 9, share: 22 },
    { id: 10, share: 14 },
    { id: 11, share: 12 },
    { id: 4, share: 4 },
  ],
  americas: [
    { id: 12, share: 36 },
    { id: 13, share: 24 },
    { id: 14, share: 18 },
    { id: 15, share: 18 },
    { id: 5, share: 4 },
  ],
  apac: [
    { id: 16, share: 40 },
    { id: 17, share: 30 },
    { id: 18, share: 25 },
    { id: 6, share: 5 },
  ],
};

export const marketers = [19, 20, 21] as const;
export const administrator = 1;
