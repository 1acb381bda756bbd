// Quotes as rows, for deals that have come far enough: most at a discount that nobody has to ask for.
import { DAY, dateText, instantText } from "./calendar.ts";
import { amountText } from "./details.ts";
import { randomFrom } from "./random.ts";
import { type DemoRow, type MasterId, numbered, toRow } from "./row.ts";
import { demoOrganization } from "./staff.ts";
import type { Deal, Story } from "./story.ts";

/** Which way a quote has gone through its workflow: the keys of the stages, in order. */
function wayOf(deal: Deal, discount: number, luck: number): string {
  const asked = discount > 25 ? ["draft", "large_approval"] : discount > 10 ? ["draft", "approval"] : ["draft"];
  if (deal.stage === "won") return [...asked, "approved", "sent", "accepted"].join(" ");
  if (deal.stage === "lost") return [...asked, "approved", "sent", "declined"].join(" ");
  if (luck < 0.2) return "draft";
  if (luck < 0.55 && asked.length > 1) return asked.join(" ");
  if (luck < 0.65 && asked.length > 1) return [...asked, "draft"].join(" ");
  return [...asked, "approved", ...(luck < 0.8 ? [] : ["sent"])].join(" ");
}

export function quoteRows({ deals, calendar }: Story, masterId: MasterId): DemoRow[] {
  const random = randomFrom("quotes");
  const currency = masterId("masters/currencies", demoOrganization.currency);
  const quoted = deals.filter((deal) => {
    const likely = { qualification: 0, needs_analysis: 0.05, proposal: 0.7, negotiation: 0.9, won: 0.4, lost: 0.15 };
    return deal.deleted !== true && random.chance(likely[deal.stage]);
  });
  const quotes = numbered(
    quoted.map((deal) => {
      const end = deal.modified ?? deal.created;
      const created = Math.floor(deal.created + (end - deal.created) * (0.3 + 0.4 * random.next()));
      const { owner, group, mine = false } = deal;
      return { id: 0, created, modified: end, author: owner, owner, group, mine, deal };
    }),
  );
  return quotes.map((quote) => {
    const { deal } = quote;
    const discount = random.chance(0.55)
      ? random.int(0, 10)
      : random.chance(0.75)
        ? random.int(11, 25)
        : random.int(26, 40);
    const way = wayOf(deal, discount, random.next());
    const approved = way.includes("approved") && way !== "draft" && discount > 10;
    return toRow(quote, {
      way,
      name: `${deal.company.organization.name}: offer ${quote.id}`,
      opportunity_id: String(deal.id),
      company_id: String(deal.company.id),
      amount: amountText(deal.amount),
      currency_id: currency,
      discount: discount.toFixed(1),
      net_amount: amountText(Math.round(deal.amount * (100 - discount)) / 100),
      valid_until: dateText(Math.max(quote.created, calendar.end - 20 * DAY) + 30 * DAY),
      approved: approved ? instantText(quote.modified) : null,
    });
  });
}
