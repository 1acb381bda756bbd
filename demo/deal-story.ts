// Deals: from converted leads and from companies that are known, with sizes, courses and outcomes that fit them.
import { atWork, type Calendar, DAY } from "./calendar.ts";
import { conversionOf } from "./company-story.ts";
import { type Random, randomFrom } from "./random.ts";
import type { Company, Contact, Deal, Lead, LostReason, Stage } from "./story.ts";
import { deals as dealSubjects, industryProfiles, kinds, type Source } from "./vocabulary.ts";

const sourceLuck: Partial<Record<Source, number>> = {
  referral: 1.4,
  partner: 1.3,
  cold_call: 0.7,
  purchased_list: 0.5,
};
const typeLuck: Readonly<Record<string, number>> = { "New business": 0.8, Expansion: 1.3, Renewal: 2.1 };
const typeSize: Readonly<Record<string, number>> = { "New business": 1.15, Expansion: 0.95, Renewal: 0.5 };
const repeatBusiness: readonly (readonly [string, number])[] = [
  ["New business", 4],
  ["Expansion", 3],
  ["Renewal", 3],
];

export function tellDeals(
  count: number,
  companies: readonly Company[],
  contacts: readonly Contact[],
  leads: readonly Lead[],
  calendar: Calendar,
): Deal[] {
  const random = randomFrom("deals");
  const deals: Deal[] = [];
  for (const lead of leads) {
    if (!lead.company || !lead.contact || deals.length >= count * 0.85 || !random.chance(0.92)) continue;
    const origin = { created: conversionOf(lead), source: lead.source, campaign: lead.campaign, score: lead.score };
    lead.deal = tellDeal(random, calendar, lead.company, lead.contact, origin);
    deals.push(lead.deal);
  }
  const contactsOf = new Map<Company, Contact[]>();
  for (const contact of contacts) {
    const colleagues = contactsOf.get(contact.company);
    if (colleagues) colleagues.push(contact);
    else contactsOf.set(contact.company, [contact]);
  }
  while (deals.length < count) {
    const company = random.pick(companies);
    if (!company.customerSince && random.chance(0.6)) continue;
    const created = calendar.draw(random, company.organization.country.offset, company.created);
    const known = contactsOf.get(company)?.filter((contact) => contact.created <= created) ?? [];
    const contact = known.length > 0 ? random.pick(known) : undefined;
    const score = Math.round(Math.min(99, Math.max(5, random.normal(58, 16))));
    const deal = tellDeal(random, calendar, company, contact, {
      created,
      source: company.source,
      campaign: null,
      score,
    });
    deals.push(deal);
  }
  return deals;
}

interface Origin {
  readonly created: number;
  readonly source: Source;
  readonly campaign: string | null;
  readonly score: number;
}

function tellDeal(
  random: Random,
  calendar: Calendar,
  company: Company,
  contact: Contact | undefined,
  origin: Origin,
): Deal {
  const { organization, owner, group } = company;
  const isCustomer = company.customerSince !== undefined && company.customerSince < origin.created;
  const kind = isCustomer ? random.weighted(repeatBusiness, ([, weight]) => weight)[0] : "New business";
  const subType = random.pick(Object.entries(kinds.opportunities).find(([name]) => name === kind)?.[1] ?? []);
  const amount = dealSize(random, kind, organization.employees, industryProfiles[organization.industry].deals);
  const cycle = random.logNormal(58 * (amount / 25_000) ** 0.18, 0.5) * DAY;
  const due = atWork(random, origin.created + cycle, organization.country.offset);
  const over = due < calendar.end;
  const luck = 0.222 * (sourceLuck[origin.source] ?? 1) * (typeLuck[kind] ?? 1) * (0.6 + origin.score / 140);
  const won = over && random.chance(luck);
  if (won && (company.customerSince === undefined || due < company.customerSince)) company.customerSince = due;
  const progress = (calendar.end - origin.created) / (due - origin.created);
  const stage = over ? (won ? "won" : "lost") : openStage(progress);
  // Of the open ones, some should have been closed by now: people hope.
  const expectedClose = over ? due : random.chance(0.08) ? calendar.end - random.int(2, 20) * DAY : due;
  const lastStep = origin.created + (calendar.end - origin.created) * random.next();
  return {
    id: 0,
    created: origin.created,
    modified: Math.floor(over ? due : lastStep),
    author: owner,
    owner,
    group,
    company,
    contact,
    source: origin.source,
    campaign: origin.campaign,
    score: origin.score,
    type: kind,
    subType,
    subject: random.pick(dealSubjects[subType] ?? [subType]),
    amount,
    stage,
    expectedClose: Math.max(expectedClose, origin.created + DAY),
    closed: over ? due : undefined,
    lostReason: stage === "lost" ? random.weighted(reasons, ([, weight]) => weight)[0] : undefined,
  };
}

function dealSize(random: Random, kind: string, employees: number, industry: number): number {
  const median = 13_000 * industry * (typeSize[kind] ?? 1) * (employees / 200) ** 0.3;
  const amount = Math.min(2_500_000, Math.max(900, random.logNormal(median, 0.75)));
  const step = amount < 20_000 ? 10 : 100;
  return Math.round(amount / step) * step;
}

function openStage(progress: number): Stage {
  if (progress < 0.22) return "qualification";
  if (progress < 0.48) return "needs_analysis";
  return progress < 0.78 ? "proposal" : "negotiation";
}

const reasons: readonly (readonly [LostReason, number])[] = [
  ["no_decision", 28],
  ["price", 24],
  ["competitor", 22],
  ["timing", 10],
  ["missing_feature", 9],
  ["no_budget", 7],
];
