// Leads as they come in, and what becomes of each: source and score decide, age limits what can have happened yet.
import { atWork, type Calendar, DAY, HOUR, quarterText } from "./calendar.ts";
import type { Organization, Person } from "./invent.ts";
import { at, type Random, randomFrom } from "./random.ts";
import { marketers } from "./staff.ts";
import { assign, type Lead, type LostReason, ratingOf } from "./story.ts";
import { type Source, sourceProfiles } from "./vocabulary.ts";

const sourceNames = Object.keys(sourceProfiles) as Source[]; // The record's keys are exactly the sources.
const scoreFactor = { hot: 1.7, warm: 0.95, cold: 0.3 } as const;
/** Sources whose leads a seller finds; marketing enters the others. */
const foundBySellers: ReadonlySet<Source> = new Set(["referral", "partner", "cold_call"]);

/** `buyers` are the organizations that can become companies, `others` those that never do. */
export function tellLeads(
  count: number,
  calendar: Calendar,
  buyers: readonly Organization[],
  others: readonly Organization[],
  personOf: (organization: Organization) => Person,
): Lead[] {
  const random = randomFrom("leads");
  return Array.from({ length: count }, () => {
    const source = random.weighted(sourceNames, (name) => sourceProfiles[name].weight);
    const profile = sourceProfiles[source];
    const score = Math.round(Math.min(99, Math.max(3, random.normal(profile.score, 17))));
    const promising = random.chance(profile.conversion * scoreFactor[ratingOf(score)]);
    const organization = promising || random.chance(0.06) ? drawBuyer(random, buyers) : random.pick(others);
    const created = calendar.draw(random, organization.country.offset);
    const { owner, group } = assign(random, organization);
    const campaign = random.chance(0.8) && profile.campaigns.length > 0 ? random.pick(profile.campaigns) : null;
    return {
      id: 0,
      created,
      author: foundBySellers.has(source) ? owner : random.pick(marketers),
      owner,
      group,
      organization,
      person: personOf(organization),
      source,
      campaign: campaign && `${campaign} ${quarterText(created)}`,
      score,
      deleted: false,
      ...becomes(random, calendar, created, promising, score, organization.country.offset),
    };
  });
}

/** The first organizations of the list are the busiest. */
function drawBuyer(random: Random, buyers: readonly Organization[]): Organization {
  return at(buyers, Math.floor(random.next() ** 1.2 * buyers.length));
}

type Fate = Pick<Lead, "status" | "lastContacted" | "lostReason"> & { modified: number };

function becomes(
  random: Random,
  calendar: Calendar,
  created: number,
  promising: boolean,
  score: number,
  offset: number,
): Fate {
  const contacted = atWork(random, created + random.logNormal(1.2, 0.9) * DAY, offset);
  const decided = atWork(random, contacted + random.logNormal(promising ? 16 : 24, 0.8) * DAY, offset);
  const open = (status: Fate["status"], touched: number): Fate => ({
    status,
    lastContacted: status === "new" ? undefined : touched,
    lostReason: undefined,
    modified: touched,
  });
  if (contacted >= calendar.end || random.chance(0.03)) return open("new", created);
  if (decided < calendar.end && promising) return open("converted", decided);
  // Some leads are neither converted nor given up, however old they are.
  if (decided < calendar.end && random.chance(0.8)) {
    return { ...open("unqualified", decided), lostReason: random.weighted(reasons, ([, weight]) => weight)[0] };
  }
  const latest = Math.min(calendar.end - HOUR, decided);
  const touched = Math.max(contacted, Math.floor(contacted + random.next() * (latest - contacted)));
  return open(promising || score > 60 ? "qualified" : "contacted", touched);
}

const reasons: readonly (readonly [LostReason, number])[] = [
  ["no_response", 34],
  ["no_budget", 20],
  ["timing", 18],
  ["missing_feature", 10],
  ["competitor", 10],
  ["price", 8],
];
