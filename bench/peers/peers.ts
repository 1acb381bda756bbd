// `npm run bench -- peers`: the same rows asked of us and of each peer, in turns. Says where we lose.
import { type Context, compare } from "../compare.ts";
import { runLoad } from "../load/http-load.ts";
import { VIEW_ID } from "../organization/view.ts";
import type { ResultRow } from "../report/result.ts";
import { createRandom, type Random } from "../traffic/random.ts";
import { addOf, randomEdit } from "../traffic/writes.ts";
import { bare } from "./bare.ts";
import { directus } from "./directus.ts";
import { nocodb } from "./nocodb.ts";
import { mixed, type Peer, pageOf, peerRequests, type RunningPeer, sorts } from "./peer.ts";
import { pocketbase } from "./pocketbase.ts";
import { strapi } from "./strapi.ts";

const peers: readonly Peer[] = [bare, directus, nocodb, strapi, pocketbase];

const orders = sorts.map(({ column, isDescending }) => `sort=leads.${column}&dir=${isDescending ? "DESC" : "ASC"}`);

function ourAsks({ served: { universe } }: Context): RunningPeer["asks"] {
  const { rows } = universe;
  const list = `/crm/leads/index.json?track_open=0&current_listview=${VIEW_ID}&limit=50`;
  const reads = {
    "pages and sorts, varied": (random: Random) => ({
      path: `${list}&${random.pick(orders)}&page=${pageOf(rows, random)}`,
    }),
    "read one, random": (random: Random) => ({ path: `/crm/leads/view.json?id=${random.integer(1, rows)}` }),
    "edit one": (random: Random) => randomEdit(universe, random),
  };
  return { ...reads, "add one": (random) => addOf(random, false), "mixed 90/10, varied": mixed(reads) };
}

export async function measurePeers(context: Context): Promise<{ rows: ResultRow[]; notes: string[] }> {
  const { options } = context;
  const ours = ourAsks(context);
  const rows: ResultRow[] = [];
  const notes: string[] = [];
  for (const peer of peers) {
    const running = await peer
      .start(context)
      .catch((error: unknown) => `it did not start: ${(error as Error).message}`);
    if (typeof running === "string") {
      notes.push(`${peer.name} was not measured: ${running}.`);
      context.say(`${peer.name} was not measured: ${running}.`);
      continue;
    }
    try {
      for (const name of peerRequests) {
        if (!name.includes(options.only)) continue;
        const { port, token, asks } = running;
        const run = (seconds: number, seed: number) => {
          const random = createRandom(seed);
          return runLoad({ port, token, connections: options.connections, seconds, next: () => asks[name](random) });
        };
        const reference = { what: peer.name, run };
        const row = { name, caller: "administrator", next: ours[name], reference, besideWrites: false } as const;
        rows.push(await compare(context, row));
      }
    } finally {
      await running.stop();
    }
  }
  return { rows, notes: [...notes, ...losses(rows)] };
}

/** Told as they are. */
export const losses = (rows: readonly ResultRow[]): string[] =>
  rows.flatMap(({ name, ratio, reference }) =>
    ratio && ratio.median < 1 ? [`We lose: ${name}, ${ratio.median.toFixed(2)} × ${reference?.what}`] : [],
  );
