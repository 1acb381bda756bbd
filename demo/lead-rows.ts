// Leads as rows.
import { DAY, dateText, instantText } from "./calendar.ts";
import { amountText, drawPlace, drawTags, flag, websiteOf } from "./details.ts";
import type { KindRows } from "./kind-rows.ts";
import { randomFrom } from "./random.ts";
import { type DemoRow, idText, type MasterId, toRow } from "./row.ts";
import { demoOrganization } from "./staff.ts";
import { ratingOf, type Story } from "./story.ts";
import { industryProfiles, leadNotes, sourceProfiles } from "./vocabulary.ts";

export function leadRows({ leads, calendar }: Story, kinds: KindRows, masterId: MasterId): DemoRow[] {
  const random = randomFrom("lead rows");
  const currency = masterId("masters/currencies", demoOrganization.currency);
  return leads.map((lead) => {
    const { organization, person, source, score, status } = lead;
    const { type, subTypes } = sourceProfiles[source];
    const rating = ratingOf(score);
    const isOpen = status === "contacted" || status === "qualified";
    const size = industryProfiles[organization.industry].deals * 13_000 * (organization.employees / 200) ** 0.3;
    const amount = Math.max(500, Math.round(random.logNormal(size, 0.6) / 100) * 100);
    const converted = status === "converted" ? instantText(lead.modified ?? lead.created) : null;
    return toRow(lead, {
      name: `${person.first} ${person.last}`,
      salutation: person.salutation,
      first_name: person.first,
      last_name: person.last,
      company_name: organization.name,
      job_title: person.job.title,
      department: person.job.department,
      ...kinds.fields("leads", type, random.pick(subTypes)),
      status,
      source,
      campaign: lead.campaign,
      rating,
      score: String(score),
      industry: organization.industry,
      annual_revenue: random.chance(0.55) ? amountText(organization.revenue) : null,
      amount: random.chance(0.6) ? amountText(amount) : null,
      currency_id: currency,
      employees: random.chance(0.65) ? String(organization.employees) : null,
      website: random.chance(0.8) ? websiteOf(organization) : null,
      email: person.email,
      phone: random.chance(0.72) ? person.phone : null,
      mobile: random.chance(0.45) ? person.mobile : null,
      city: organization.city.name,
      country_id: masterId("masters/countries", organization.country.iso2),
      location: random.chance(0.7) ? drawPlace(random, organization) : null,
      do_not_call: flag(random.chance(0.04)),
      do_not_email: flag(random.chance(0.06)),
      tags: drawTags(random, {
        decision_maker: person.job.senior ? 0.3 : 0.03,
        newsletter: source === "webinar" || source === "web" ? 0.3 : 0.08,
        competitor_user: 0.08,
        budget_approved: rating === "hot" ? 0.25 : 0.02,
        urgent: rating === "hot" ? 0.15 : 0.02,
        long_cycle: organization.employees > 1000 ? 0.25 : 0.03,
      }),
      last_contacted: lead.lastContacted === undefined ? null : instantText(lead.lastContacted),
      next_follow_up: isOpen && random.chance(0.8) ? dateText(calendar.end + random.int(-5, 21) * DAY) : null,
      referred_by_id: idText(lead.referredBy?.id),
      converted,
      converted_person_id: idText(lead.contact?.id),
      converted_company_id: idText(lead.company?.id),
      converted_opportunity_id: idText(lead.deal?.id),
      lost_reason: lead.lostReason ?? null,
      description: random.chance(0.35) ? random.pick(leadNotes) : null,
    });
  });
}
