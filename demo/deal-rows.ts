// Opportunities as rows.
import { DAY, dateText, instantText } from "./calendar.ts";
import { amountText, drawTags } from "./details.ts";
import type { KindRows } from "./kind-rows.ts";
import { type Random, randomFrom } from "./random.ts";
import { type DemoRow, idText, type MasterId, toRow } from "./row.ts";
import { demoOrganization } from "./staff.ts";
import type { Deal, Stage, Story } from "./story.ts";
import { competitors, nextSteps } from "./vocabulary.ts";

const probabilities: Readonly<Record<Stage, number>> = {
  qualification: 10,
  needs_analysis: 25,
  proposal: 50,
  negotiation: 75,
  won: 100,
  lost: 0,
};

export function dealRows({ deals, calendar }: Story, kinds: KindRows, masterId: MasterId): DemoRow[] {
  const random = randomFrom("deal rows");
  const currency = masterId("masters/currencies", demoOrganization.currency);
  return deals.map((deal) => {
    const { company, stage, closed } = deal;
    const isOpen = closed === undefined;
    const step = isOpen ? random.pick(nextSteps[stage] ?? []) : null;
    return toRow(deal, {
      name: `${company.organization.name}: ${deal.subject}`,
      company_id: String(company.id),
      person_id: idText(deal.contact?.id),
      ...kinds.fields("opportunities", deal.type, deal.subType),
      stage,
      amount: amountText(deal.amount),
      currency_id: currency,
      probability: String(probabilities[stage]),
      forecast: drawForecast(random, deal, calendar.end),
      expected_close: dateText(deal.expectedClose),
      closed: closed === undefined ? null : instantText(closed),
      lost_reason: deal.lostReason ?? null,
      competitor: deal.lostReason === "competitor" || random.chance(0.12) ? random.pick(competitors) : null,
      next_step: step,
      next_step_date: step === null ? null : dateText(calendar.end + random.int(-4, 18) * DAY),
      source: deal.source,
      campaign: deal.campaign,
      score: String(deal.score),
      tags: drawTags(random, {
        budget_approved: stage === "negotiation" || stage === "won" ? 0.5 : 0.1,
        pilot: 0.1,
        long_cycle: deal.amount > 60_000 ? 0.3 : 0.03,
        urgent: isOpen ? 0.08 : 0,
        renewal: deal.type === "Renewal" ? 1 : 0,
      }),
      last_contacted: instantText(deal.modified ?? deal.created),
      description: null,
    });
  });
}

function drawForecast(random: Random, { stage, expectedClose }: Deal, end: number): string {
  if (stage === "won" || stage === "lost") return "closed";
  if (stage === "negotiation") return random.chance(0.6) ? "commit" : "best_case";
  if (stage === "proposal") return expectedClose < end + 45 * DAY ? "best_case" : "pipeline";
  return random.chance(0.05) ? "omitted" : "pipeline";
}
