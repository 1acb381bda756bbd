// What a service that we are compared with must say of itself: how to start it on the same rows, and how it is asked for
// the same things.
import type { Context } from "../compare.ts";
import type { Asked } from "../load/http-load.ts";
import { vocabulary } from "../organization/vocabulary.ts";
import type { Random } from "../traffic/random.ts";
import { editedFields, editValues, nextEmail } from "../traffic/writes.ts";

/** What everybody is asked for, as the administrator. */
export const peerRequests = [
  "pages and sorts, varied",
  "read one, random",
  "add one",
  "edit one",
  "mixed 90/10, varied",
] as const;
export type PeerRequest = (typeof peerRequests)[number];

export interface RunningPeer {
  readonly port: number;
  readonly token: string;
  readonly asks: Readonly<Record<PeerRequest, (random: Random) => Asked>>;
  stop(): Promise<void>;
}

export interface Peer {
  readonly name: string;
  /** A sentence where it cannot run here. */
  readonly start: (context: Context) => Promise<RunningPeer | string>;
}

/** Nine reads of lists and records to one edit. */
export const mixed =
  (asks: Pick<RunningPeer["asks"], "pages and sorts, varied" | "read one, random" | "edit one">) =>
  (random: Random): Asked => {
    const share = random.next();
    if (share < 0.1) return asks["edit one"](random);
    return asks[share < 0.55 ? "pages and sorts, varied" : "read one, random"](random);
  };

/** The orders that everybody is asked for; the last one has no index, with us either. */
export const sorts = [
  { column: "name", isDescending: false },
  { column: "created", isDescending: true },
  { column: "amount", isDescending: true },
] as const;

/** Of fifty rows each. */
export const pageOf = (rows: number, random: Random): number => random.integer(1, Math.min(200, Math.floor(rows / 50)));

export const randomValues = (random: Random): Readonly<Record<string, string>> =>
  editValues[random.pick(editedFields)](random);

export function newLead(random: Random): Readonly<Record<string, string>> {
  const [first_name, last_name] = [random.pick(vocabulary.firstNames), random.pick(vocabulary.lastNames)];
  return {
    name: `${first_name} ${last_name}`,
    first_name,
    last_name,
    company_name: random.pick(vocabulary.companyWords),
    email: nextEmail(last_name),
    source: "web",
    rating: "cold",
    score: String(random.integer(0, 100)),
    city: random.pick(vocabulary.cities),
  };
}
