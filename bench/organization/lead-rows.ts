// Takes a seed, how many leads there are, and who can own them; gives the leads one by one as columns of text. Values are
// skewed as those of people are: few owners, cities and sources have most of the leads, and recent leads are mostly new.
import { createRandom, normal, type Random, weighted, zipf } from "../traffic/random.ts";
import { type Status, vocabulary } from "./vocabulary.ts";

export interface Owner {
  readonly id: string;
  /** Its access set for leads in a stage whose actor is the owner, and for those in a final stage. */
  readonly aclIds: { readonly open: string; readonly closed: string };
}

export interface StageOfStatus {
  readonly node: string;
  readonly version: string;
}

export interface LeadSource {
  readonly seed: number;
  readonly rows: number;
  readonly organizationId: string;
  readonly owners: readonly Owner[];
  readonly stages: ReadonlyMap<Status, StageOfStatus>;
}

export interface MadeLead {
  readonly id: number;
  readonly owner: Owner;
  readonly email: string;
  readonly city: string;
  readonly created: string;
  readonly columns: readonly (string | number | null)[];
}

export const leadColumns = [
  "id organization_id created created_by modified modified_by owned_by revision business_key deleted acl_id",
  "current_stage stage_since workflow_version name salutation first_name last_name company_name job_title department",
  "status source campaign rating score industry annual_revenue amount employees website email phone mobile city",
  "do_not_call do_not_email last_contacted next_follow_up location location_lon description",
]
  .join(" ")
  .split(" ");

/** The share of leads that are read by whoever is in the group "Half": owners with an even number. */
export const isInHalf = (index: number): boolean => index % 2 === 0;

/** Owners by how many leads they have: the first has some six times as many as the average. */
const ownerWeight = (index: number): number => 1 / (index + 50);

const recent = weighted<Status>([
  ["new", 60],
  ["contacted", 24],
  ["qualified", 10],
  ["converted", 2],
  ["unqualified", 4],
]);
const older = weighted<Status>([
  ["new", 28],
  ["contacted", 22],
  ["qualified", 14],
  ["converted", 20],
  ["unqualified", 16],
]);
const isClosed = (status: Status): boolean => status === "converted" || status === "unqualified";

const sources = weighted([
  ["web", 40],
  ["referral", 18],
  ["event", 12],
  ["advertising", 10],
  ["partner", 8],
  ["webinar", 5],
  ["social", 4],
  ["cold_call", 2],
  ["purchased_list", 1],
]);
const ratings = weighted([
  ["cold", 55],
  ["warm", 33],
  ["hot", 12],
]);
const salutations = ["ms", "mr", "mx", "dr", "prof"];
const departments = "sales purchasing operations engineering management quality finance it marketing".split(" ");
const industries =
  "manufacturing technology retail construction logistics healthcare finance food energy automotive".split(" ");

const START = Date.UTC(2023, 0, 1);
const SPAN_MS = 3 * 365 * 24 * 3_600_000;
const instant = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

const ranked = <T>(list: readonly T[], exponent: number): ((random: Random) => T) => {
  const rank = zipf(list.length, exponent);
  return (random) => {
    const value = list[rank(random) - 1];
    if (value === undefined) throw new Error("there is nothing to pick from");
    return value;
  };
};

/** An amount of money: most are small, few are very large. */
const logNormal = (random: Random, middle: number, spread: number): number =>
  Math.round(middle * Math.exp(spread * normal(random)));

export function* makeLeads(source: LeadSource): Generator<MadeLead> {
  const random = createRandom(source.seed);
  const owner = weighted(source.owners.map((one, index) => [one, ownerWeight(index + 1)] as const));
  const first = ranked(vocabulary.firstNames, 0.7);
  const last = ranked(vocabulary.lastNames, 0.8);
  const word = ranked(vocabulary.companyWords, 0.6);
  const kind = ranked(vocabulary.companyKinds, 0.9);
  const city = ranked(vocabulary.cities, 0.9);
  const industry = ranked(industries, 0.8);
  const department = ranked(departments, 0.7);
  const campaign = zipf(400, 1);
  const maybe = (share: number) => random.next() < share;

  for (let id = 1; id <= source.rows; id += 1) {
    const age = id / source.rows;
    const at = START + Math.floor(SPAN_MS * age) - random.integer(0, 600_000);
    const created = instant(at);
    const status = age > 0.9 ? recent(random) : older(random);
    const mine = owner(random);
    const firstName = first(random);
    const lastName = last(random);
    const company = `${word(random)} ${word(random)}`;
    const place = city(random);
    const email = `${firstName}.${lastName}${id}@${company.replace(" ", "-")}.example`.toLowerCase();
    const touched = at + random.integer(0, 60) * 86_400_000;
    const stage = source.stages.get(status);
    yield {
      id,
      owner: mine,
      email,
      city: place,
      created,
      columns: [
        id,
        source.organizationId,
        created,
        mine.id,
        instant(touched),
        mine.id,
        mine.id,
        1,
        `L-${String(id).padStart(8, "0")}`,
        0,
        isClosed(status) ? mine.aclIds.closed : mine.aclIds.open,
        stage?.node ?? null,
        stage ? created : null,
        stage?.version ?? null,
        `${firstName} ${lastName}`,
        maybe(0.7) ? random.pick(salutations) : null,
        firstName,
        lastName,
        `${company} ${kind(random)}`,
        maybe(0.8) ? `${random.pick(vocabulary.areas)} ${random.pick(vocabulary.jobs)}` : null,
        maybe(0.6) ? department(random) : null,
        status,
        sources(random),
        maybe(0.5) ? `Campaign ${campaign(random)}` : null,
        maybe(0.9) ? ratings(random) : null,
        Math.min(100, Math.max(0, Math.round(50 + 20 * normal(random)))),
        maybe(0.9) ? industry(random) : null,
        maybe(0.6) ? logNormal(random, 2_000_000, 1.4) : null,
        maybe(0.85) ? logNormal(random, 12_000, 1.1) : null,
        maybe(0.7) ? logNormal(random, 80, 1.3) : null,
        maybe(0.6) ? `https://${company.replace(" ", "").toLowerCase()}.example/` : null,
        email,
        `+1 555 ${String(random.integer(0, 9_999_999)).padStart(7, "0")}`,
        maybe(0.5) ? `+1 666 ${String(random.integer(0, 9_999_999)).padStart(7, "0")}` : null,
        place,
        maybe(0.04) ? 1 : 0,
        maybe(0.08) ? 1 : 0,
        status === "new" ? null : instant(touched),
        isClosed(status) || maybe(0.4) ? null : instant(touched + 14 * 86_400_000).slice(0, 10),
        ...(maybe(0.5)
          ? [47 + random.next() * 8, 6 + random.next() * 10].map((degrees) => degrees.toFixed(4))
          : [null, null]),
        maybe(0.7) ? note(random) : null,
      ],
    };
  }
}

function note(random: Random): string {
  const length = random.integer(6, 40);
  const words = Array.from({ length }, () => random.pick(vocabulary.filler));
  return `${vocabulary.companyWords[random.integer(0, 39)]} ${words.join(" ")}.`;
}
