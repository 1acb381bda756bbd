// Invents organizations and the people who work there: names, sizes, domains, mail addresses and phone numbers.
import type { salutations } from "../server/modules/crm/choices.ts";
import { asciiWord } from "./mail-name.ts";
import { type CultureName, cultures } from "./names.ts";
import { countries } from "./places/countries.ts";
import type { City, Country } from "./places/country.ts";
import { type Random, randomFrom } from "./random.ts";
import { type Industry, industryProfiles, jobs } from "./vocabulary.ts";

export interface Organization {
  readonly name: string;
  readonly legalName: string;
  readonly domain: string;
  readonly country: Country;
  readonly city: City;
  readonly industry: Industry;
  readonly employees: number;
  /** EUR a year. */
  readonly revenue: number;
  /** How the house builds its mail addresses. */
  readonly mailStyle: number;
  readonly phone: string;
  readonly street: string;
  readonly zip: string;
}

export interface Person {
  readonly first: string;
  readonly last: string;
  readonly salutation: (typeof salutations)[number]["value"] | null;
  readonly job: (typeof jobs)[number];
  readonly email: string;
  readonly phone: string;
  readonly mobile: string;
}

const roots = "Alt,Bran,Cal,Dor,Fer,Hal,Isen,Kor,Lum,Mar,Nor,Quor,Sel,Tal,Ulm,Vel,Wen,Zen".split(",");
const endings = "ara,brook,dale,ent,gard,ium,ix,mont,ora,stad,tec,vista,wick".split(",");
/** Endings of domains that nobody can register (RFC 2606). */
const unownable = [".example", ".test", ".example.com"] as const;
const industryNames = Object.keys(industryProfiles) as Industry[]; // The record's keys are exactly the industries.

export function inventor(): { organization(): Organization; person(organization: Organization): Person } {
  const random = randomFrom("organizations");
  const people = randomFrom("people");
  const takenNames = new Set<string>();
  const takenMail = new Set<string>();
  return {
    organization() {
      const country = random.weighted(countries, ({ weight }) => weight);
      const city = random.weighted(country.cities, ({ weight }) => weight);
      const industry = random.weighted(industryNames, (name) => industryProfiles[name].weight);
      const { employees: usual, productivity } = industryProfiles[industry];
      const employees = Math.round(Math.min(45_000, Math.max(4, random.logNormal(usual * 0.6, 1.15))));
      const name = companyName(random, country, city, industry, takenNames);
      return {
        name,
        legalName: `${name} ${random.pick(country.legalForms)}`,
        domain: asciiWord(name) + random.pick(unownable),
        country,
        city,
        industry,
        employees,
        revenue: Math.round((employees * productivity * random.logNormal(1, 0.35)) / 1000) * 1000,
        mailStyle: random.int(0, 3),
        phone: random.digits(random.pick(country.phones)),
        street: streetLine(random, country),
        zip: random.digits(city.zip),
      };
    },
    person(organization) {
      const { country } = organization;
      const [culture] = people.weighted(country.cultures, ([, weight]) => weight);
      const woman = people.chance(0.42);
      const first = people.pick(woman ? cultures[culture].women : cultures[culture].men);
      const last = people.pick(cultures[culture].surnames);
      return {
        first,
        last,
        salutation: salutation(people, woman),
        job: people.weighted(jobs, ({ weight }) => weight),
        email: mailAddress(first, last, organization, takenMail),
        phone: people.chance(0.4) ? organization.phone : people.digits(people.pick(country.phones)),
        mobile: people.digits(people.pick(country.mobiles)),
      };
    },
  };
}

function companyName(random: Random, country: Country, city: City, industry: Industry, taken: Set<string>): string {
  for (;;) {
    const [culture]: readonly [CultureName, number] = random.weighted(country.cultures, ([, weight]) => weight);
    const surname = random.pick(cultures[culture].surnames);
    const style = random.next();
    const lead = style < 0.45 ? surname : style < 0.85 ? random.pick(roots) + random.pick(endings) : city.name;
    const name = `${lead.charAt(0).toUpperCase()}${lead.slice(1)} ${random.pick(industryProfiles[industry].words)}`;
    if (taken.has(asciiWord(name))) continue;
    taken.add(asciiWord(name));
    return name;
  }
}

export function streetLine(random: Random, country: Country): string {
  return country.addressLine
    .replace("{street}", random.pick(country.streets))
    .replace("{number}", String(random.int(1, 180)));
}

function salutation(random: Random, woman: boolean): Person["salutation"] {
  const drawn = random.next();
  if (drawn < 0.06) return "dr";
  if (drawn < 0.07) return "prof";
  if (drawn < 0.08) return "mx";
  if (drawn < 0.2) return null;
  return woman ? "ms" : "mr";
}

function mailAddress(first: string, last: string, { domain, mailStyle }: Organization, taken: Set<string>): string {
  const [given, family] = [asciiWord(first), asciiWord(last)];
  const styles = [`${given}.${family}`, `${given.charAt(0)}.${family}`, `${given.charAt(0)}${family}`, given];
  const mailbox = styles[mailStyle] ?? given;
  for (let count = 1; ; count += 1) {
    const address = `${mailbox}${count === 1 ? "" : count}@${domain}`;
    if (taken.has(address)) continue;
    taken.add(address);
    return address;
  }
}
