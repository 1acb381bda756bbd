// Tells the whole year: leads, companies, contacts and deals that fit together, in the order of time.
import { calendarUntil } from "./calendar.ts";
import { tellCompanies, tellContacts } from "./company-story.ts";
import { tellDeals } from "./deal-story.ts";
import { inventor } from "./invent.ts";
import { tellLeads } from "./lead-story.ts";
import { at, randomFrom } from "./random.ts";
import { numbered } from "./row.ts";
import type { Contact, Counts, Deal, Lead, Story } from "./story.ts";

/** Leads come from this many times as many organizations as ever become companies. */
const reach = 3.8;

export function tellStory(today: string, counts: Counts): Story {
  const calendar = calendarUntil(today);
  const invent = inventor();
  const buyers = Array.from({ length: counts.companies }, invent.organization);
  const others = Array.from({ length: Math.ceil(counts.companies * reach) }, invent.organization);
  const leads = numbered(tellLeads(counts.leads, calendar, buyers, others, invent.person));
  const companies = numbered(tellCompanies(buyers, leads, calendar));
  const contacts = numbered(tellContacts(counts.people, companies, leads, calendar, invent.person));
  const deals = numbered(tellDeals(counts.opportunities, companies, contacts, leads, calendar));
  refer(leads, contacts);
  throwAway(leads, contacts, deals);
  handOver(leads, deals);
  return { calendar, companies, contacts, deals, leads };
}

/** A referred lead was named by somebody who was a contact by then. */
function refer(leads: readonly Lead[], contacts: readonly Contact[]): void {
  const random = randomFrom("referrals");
  let earlier = 0;
  for (const lead of leads) {
    while (earlier < contacts.length && at(contacts, earlier).created < lead.created) earlier += 1;
    if (lead.source === "referral" && earlier > 0 && random.chance(0.85)) {
      lead.referredBy = at(contacts, random.int(0, earlier - 1));
    }
  }
}

/** A few records lie in the recycle bin; none that another record refers to. */
function throwAway(leads: readonly Lead[], contacts: readonly Contact[], deals: readonly Deal[]): void {
  const random = randomFrom("recycle bin");
  const needed = new Set([
    ...leads.flatMap(({ contact, referredBy, deal }) => [contact, referredBy, deal]),
    ...deals.map(({ contact }) => contact),
    ...contacts.flatMap(({ reportsTo, referredBy }) => [reportsTo, referredBy]),
  ]);
  for (const lead of leads) lead.deleted = lead.status !== "converted" && random.chance(0.012);
  for (const contact of contacts) contact.deleted = !needed.has(contact) && random.chance(0.012);
  for (const deal of deals) deal.deleted = !needed.has(deal) && random.chance(0.03);
}

/** Some of what is open lies on the administrator's own desk. */
function handOver(leads: readonly Lead[], deals: readonly Deal[]): void {
  const openLeads = leads.filter(
    ({ status, deleted }) => !deleted && (status === "contacted" || status === "qualified"),
  );
  for (const lead of openLeads.slice(-240).filter((_, index) => index % 40 === 0)) lead.mine = true;
  const openDeals = deals.filter(({ closed, deleted }) => !deleted && closed === undefined);
  for (const deal of openDeals.slice(-80).filter((_, index) => index % 12 === 0)) deal.mine = true;
}
