// Companies and people as rows.
import { DAY, dateText, instantText } from "./calendar.ts";
import { addressParts, amountText, drawPlace, drawTags, flag, websiteOf } from "./details.ts";
import type { KindRows } from "./kind-rows.ts";
import { type Random, randomFrom } from "./random.ts";
import { type DemoRow, idText, type MasterId, toRow } from "./row.ts";
import { demoOrganization } from "./staff.ts";
import { type Company, type Contact, ratingOf, type Story } from "./story.ts";
import { companyNotes, kinds as kindNames } from "./vocabulary.ts";

export function companyRows({ companies, calendar }: Story, kinds: KindRows, masterId: MasterId): DemoRow[] {
  const random = randomFrom("company rows");
  const currency = masterId("masters/currencies", demoOrganization.currency);
  return companies.map((company) => {
    const { organization, customerSince, source } = company;
    const { employees, revenue } = organization;
    const since = customerSince === undefined ? null : dateText(customerSince);
    const rating = ratingOf(Math.min(99, (since ? 62 : 40) + random.normal(0, 14)));
    return toRow(company, {
      name: organization.name,
      legal_name: organization.legalName,
      ...companyKind(random, company, kinds),
      parent_id: random.chance(0.06) && company.id > 1 ? String(random.int(1, company.id - 1)) : null,
      industry: organization.industry,
      rating,
      ownership: drawOwnership(random, organization.industry, employees),
      annual_revenue: amountText(revenue),
      credit_limit: since ? amountText(Math.max(5000, Math.round(revenue / 400_000) * 1000)) : null,
      currency_id: currency,
      payment_terms: since ? random.weighted(paymentTerms, ([, weight]) => weight)[0] : null,
      employees: String(employees),
      tax_number: random.digits(`${organization.country.iso2}#########`),
      website: websiteOf(organization),
      email: `info@${organization.domain}`,
      phone: organization.phone,
      country_id: masterId("masters/countries", organization.country.iso2),
      billing_address: addressParts(organization, masterId),
      location: drawPlace(random, organization),
      source,
      tags: drawTags(random, {
        key_account: employees > 800 ? 0.4 : 0.05,
        pilot: 0.06,
        competitor_user: since ? 0.04 : 0.15,
        renewal: since ? 0.2 : 0,
        reference: since ? 0.15 : 0,
      }),
      customer_since: since,
      last_contacted: drawContact(random, company, calendar.end),
      description: random.chance(0.4) ? random.pick(companyNotes) : null,
    });
  });
}

const paymentTerms: readonly (readonly [string, number])[] = [
  ["net_30", 55],
  ["net_14", 20],
  ["net_60", 15],
  ["prepaid", 10],
];

function companyKind(random: Random, { isPartner, customerSince, organization }: Company, kinds: KindRows) {
  if (isPartner) return kinds.fields("companies", "Partner", random.pick(kindNames.companies.Partner));
  if (customerSince === undefined) {
    return kinds.fields("companies", "Prospect", random.pick(kindNames.companies.Prospect));
  }
  const { employees } = organization;
  return kinds.fields(
    "companies",
    "Customer",
    employees > 1000 ? "Strategic" : employees > 120 ? "Mid-market" : "Small business",
  );
}

function drawOwnership(random: Random, industry: string, employees: number): string {
  if (industry === "public_sector") return "public_body";
  if (industry === "education") return random.pick(["public_body", "non_profit"]);
  if (employees > 1500 && random.chance(0.5)) return "listed";
  return employees < 150 && random.chance(0.5) ? "family" : "private";
}

/** Late in the life of the record, and never after the end. */
function drawContact(random: Random, { created }: { readonly created: number }, end: number): string | null {
  return random.chance(0.85) ? instantText(Math.floor(end - (end - created) * random.next() ** 2)) : null;
}

export function personRows({ contacts, calendar }: Story, kinds: KindRows, masterId: MasterId): DemoRow[] {
  const random = randomFrom("person rows");
  return contacts.map((contact) => {
    const { person, company, score, source } = contact;
    const { organization } = company;
    return toRow(contact, {
      name: `${person.first} ${person.last}`,
      salutation: person.salutation,
      first_name: person.first,
      last_name: person.last,
      company_id: String(company.id),
      job_title: person.job.title,
      department: person.job.department,
      reports_to_id: idText(contact.reportsTo?.id),
      ...personKind(random, contact, kinds),
      source,
      rating: ratingOf(score),
      score: String(score),
      email: person.email,
      phone: random.chance(0.8) ? person.phone : null,
      mobile: random.chance(0.55) ? person.mobile : null,
      website: random.chance(0.12) ? `https://people.example/${person.email.split("@")[0]}` : null,
      birthday: random.chance(0.3) ? dateText(calendar.end - random.int(24 * 365, 62 * 365) * DAY) : null,
      locale_id: masterId("masters/locales", organization.country.locale),
      country_id: masterId("masters/countries", organization.country.iso2),
      mailing_address: random.chance(0.35) ? addressParts(organization, masterId) : null,
      location: random.chance(0.3) ? drawPlace(random, organization) : null,
      do_not_call: flag(random.chance(0.04)),
      do_not_email: flag(random.chance(0.05)),
      tags: drawTags(random, { decision_maker: person.job.senior ? 0.4 : 0.02, newsletter: 0.25, reference: 0.03 }),
      referred_by_id: idText(contact.referredBy?.id),
      last_contacted: drawContact(random, contact, calendar.end),
      description: null,
    });
  });
}

function personKind(random: Random, { company, person }: Contact, kinds: KindRows) {
  if (company.isPartner) {
    return kinds.fields("peoples", "Partner contact", random.pick(kindNames.peoples["Partner contact"]));
  }
  const type = company.customerSince === undefined ? "Prospect contact" : "Customer contact";
  return kinds.fields(
    "peoples",
    type,
    person.job.senior ? "Decision maker" : random.chance(0.4) ? "Influencer" : "User",
  );
}
