// Companies and the people in them: those whose leads were converted, and those that were known or found otherwise.
import { type Calendar, DAY, HOUR } from "./calendar.ts";
import type { Organization, Person } from "./invent.ts";
import { type Random, randomFrom } from "./random.ts";
import { assign, type Company, type Contact, type Lead } from "./story.ts";
import type { Source } from "./vocabulary.ts";

/** The part of the companies that were customers before the year began. */
const known = 0.3;
const directSources: readonly Source[] = ["partner", "referral", "cold_call", "event"];

export function tellCompanies(
  organizations: readonly Organization[],
  leads: readonly Lead[],
  calendar: Calendar,
): Company[] {
  const random = randomFrom("companies");
  const firstLead = new Map<Organization, Lead>();
  for (const lead of leads) {
    const earlier = firstLead.get(lead.organization);
    if (lead.status === "converted" && (!earlier || conversionOf(lead) < conversionOf(earlier))) {
      firstLead.set(lead.organization, lead);
    }
  }
  const companies = organizations.map((organization, index): Company => {
    const lead = firstLead.get(organization);
    const assigned = lead ? { owner: lead.owner, group: lead.group } : assign(random, organization);
    const drawn = calendar.draw(random, organization.country.offset);
    // Old customers are entered in the first weeks, whichever places in the list they have.
    const isKnown = (index * 7) % 10 < known * 10;
    const entered = isKnown ? calendar.start + ((drawn - calendar.start) * 20) / 365 : drawn;
    const created = Math.floor(lead ? (isKnown ? Math.min(entered, conversionOf(lead)) : conversionOf(lead)) : entered);
    return {
      id: 0,
      created,
      author: assigned.owner,
      ...assigned,
      organization,
      source: lead?.source ?? random.pick(directSources),
      isPartner: random.chance(0.05),
      ...(isKnown && random.chance(0.7)
        ? { customerSince: Math.floor(calendar.start - random.int(30, 2400) * DAY) }
        : {}),
    };
  });
  return companies;
}

export const conversionOf = (lead: Lead): number => lead.modified ?? lead.created;

export function tellContacts(
  count: number,
  companies: readonly Company[],
  leads: readonly Lead[],
  calendar: Calendar,
  personOf: (organization: Organization) => Person,
): Contact[] {
  const random = randomFrom("contacts");
  const contacts: Contact[] = [];
  const byOrganization = new Map(companies.map((company) => [company.organization, company]));
  for (const lead of leads) {
    const company = byOrganization.get(lead.organization);
    if (lead.status !== "converted" || !company || contacts.length >= count) continue;
    const { person, source, score, owner, group } = lead;
    const contact = { id: 0, created: conversionOf(lead), author: owner, owner, group, person, company, source, score };
    lead.company = company;
    lead.contact = contact;
    contacts.push(contact);
  }
  const pick = sizeWeighted(random, companies);
  while (contacts.length < count) {
    const company = pick();
    const soon = Math.floor(company.created + random.logNormal(2, 1.2) * DAY);
    const late = calendar.draw(random, company.organization.country.offset, company.created);
    contacts.push({
      id: 0,
      created: soon < calendar.end - HOUR && random.chance(0.55) ? soon : late,
      author: company.owner,
      owner: company.owner,
      group: company.group,
      person: personOf(company.organization),
      company,
      source: company.source,
      score: Math.round(Math.min(99, Math.max(5, random.normal(52, 18)))),
    });
  }
  relate(random, contacts);
  return contacts;
}

/** Larger companies have more contacts, though not in proportion. */
function sizeWeighted(random: Random, companies: readonly Company[]): () => Company {
  let sum = 0;
  const sums = companies.map(({ organization }) => {
    sum += 1 + Math.log10(organization.employees) ** 2;
    return sum;
  });
  return () => {
    const wanted = random.next() * sum;
    const company = companies[sums.findIndex((reached) => reached > wanted)] ?? companies.at(-1);
    if (!company) throw new RangeError("people need a company to work for");
    return company;
  };
}

/** Staff report to somebody senior of their own company; some contacts were named by another. Both are known before. */
function relate(random: Random, contacts: readonly Contact[]): void {
  const seniors = new Map<Company, Contact>();
  for (const contact of contacts) {
    const earlier = seniors.get(contact.company);
    if (contact.person.job.senior && !(earlier && earlier.created < contact.created)) {
      seniors.set(contact.company, contact);
    }
  }
  for (const contact of contacts) {
    const senior = seniors.get(contact.company);
    const mayReport = senior && senior.created < contact.created && !contact.person.job.senior;
    if (mayReport && random.chance(0.8)) contact.reportsTo = senior;
    const namedBy = random.pick(contacts);
    if (contact.source === "referral" && namedBy.created < contact.created) contact.referredBy = namedBy;
  }
}
