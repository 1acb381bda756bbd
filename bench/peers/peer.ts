// What a service that we are compared with must say of itself: how to start it on the same rows, and how it is asked for
// the same things.
import type { Context } from "../compare.ts";
import type { Asked } from "../load/http-load.ts";
import type { Random } from "../traffic/random.ts";

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
