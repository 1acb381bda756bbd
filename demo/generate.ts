// The demo organization, generated: batches of rows in an order in which each row refers only to earlier ones
// (users apart: a manager can come after those who report to them).
// The same options give the same rows, on every machine and every day.
import { commentBatch, tellRemarks } from "./comment-rows.ts";
import { companyRows, personRows } from "./company-rows.ts";
import { contactPointBatches } from "./contact-point-rows.ts";
import { dealRows } from "./deal-rows.ts";
import { kindRows } from "./kind-rows.ts";
import { leadRows } from "./lead-rows.ts";
import { notificationBatch } from "./notification-rows.ts";
import { quoteRows } from "./quote-rows.ts";
import { rateRows } from "./rate-rows.ts";
import type { DemoBatch, MasterId } from "./row.ts";
import { staffBatches } from "./staff-batches.ts";
import { tellStory } from "./tell-story.ts";

export type { DemoBatch, DemoRow, DemoValue, MasterId } from "./row.ts";
export { demoOrganization } from "./staff.ts";

export interface DemoOptions {
  /** `YYYY-MM-DD`: the year of data ends as this day begins, in UTC. */
  readonly today: string;
  /** 1 for 5,000 leads, 2,000 people, 500 companies and 800 opportunities; 0.1 for a tenth of each. */
  readonly scale?: number;
  /** Master data has ids that the seeder gave. */
  readonly masterId: MasterId;
}

export function* generateDemo({ today, scale = 1, masterId }: DemoOptions): Generator<DemoBatch> {
  const counted = (count: number) => Math.max(1, Math.round(count * scale));
  const story = tellStory(today, {
    leads: counted(5000),
    people: counted(2000),
    companies: counted(500),
    opportunities: counted(800),
  });
  yield* staffBatches(story.calendar.start);
  yield { type: "masters/exchange_rates", rows: rateRows(story.calendar, masterId) };
  const kinds = kindRows(story.calendar.start);
  yield* kinds.batches;
  yield { type: "crm/companies", rows: companyRows(story, kinds, masterId) };
  yield { type: "crm/peoples", rows: personRows(story, kinds, masterId) };
  yield { type: "crm/opportunities", rows: dealRows(story, kinds, masterId) };
  yield { type: "crm/leads", rows: leadRows(story, kinds, masterId) };
  const quotes = quoteRows(story, masterId);
  yield { type: "crm/quotes", rows: quotes };
  yield* contactPointBatches(story, masterId);
  const remarks = tellRemarks(story);
  yield commentBatch(remarks);
  yield notificationBatch(story, remarks, quotes);
}
