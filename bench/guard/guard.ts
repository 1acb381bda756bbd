// `npm run bench -- guard`: the short set on this commit and on another one, both served from copies of the same data and
// asked in turns with the same requests. Fails where this commit answers clearly fewer.
import path from "node:path";
import { root } from "../../server/lib/root.ts";
import { askService, type Compared, compare } from "../compare.ts";
import type { Options } from "../options.ts";
import { dataFolder } from "../organization/build.ts";
import type { CallerName } from "../organization/people.ts";
import type { Universe } from "../organization/universe.ts";
import { commitOf } from "../report/machine.ts";
import type { ResultRow } from "../report/result.ts";
import { type Served, serve } from "../serve/serve.ts";
import { groupTraffic } from "../traffic/groups.ts";
import { listTraffic, searchTraffic } from "../traffic/lists.ts";
import type { Random } from "../traffic/random.ts";
import { addOf, randomEdit } from "../traffic/writes.ts";
import { buildData, checkOut, otherCommit } from "./other-checkout.ts";

/** What may be lost before it fails. */
export const MOST_LOST = 0.15;

type Asks = Pick<Compared, "name" | "caller" | "next">;

/** One of everything that people do. */
export function shortSet(universe: Universe): readonly Asks[] {
  const { rows } = universe;
  const named = (traffic: readonly Asks[], ...names: readonly string[]) =>
    traffic.filter(({ name }) => names.some((one) => name.startsWith(one)));
  const as = (caller: CallerName, name: string, next: Asks["next"]): Asks => ({ name, caller, next });
  return [
    ...named(listTraffic(universe, "administrator"), "pages", "five sorts", "far pages"),
    ...named(listTraffic(universe, "half"), "pages", "status filters"),
    ...named(listTraffic(universe, "few"), "pages"),
    ...named(searchTraffic(universe, "administrator"), "two words, mixed"),
    ...named(groupTraffic(universe, "half"), "charts"),
    as("administrator", "view, random of all", (random: Random) => ({
      path: `/crm/leads/view.json?id=${random.integer(1, rows)}`,
    })),
    as("administrator", "edit one value", (random: Random) => randomEdit(universe, random)),
    as("administrator", "add", (random: Random) => addOf(random, false)),
  ];
}

export interface GuardResult {
  readonly rows: readonly ResultRow[];
  readonly lost: readonly ResultRow[];
  readonly notes: readonly string[];
}

/** The rows that lost more than they may: by the median of the rounds, so that one bad round fails nobody. */
export const lostRows = (rows: readonly ResultRow[]): readonly ResultRow[] =>
  rows.filter(({ ratio, service }) => service.errors > 0 || (ratio !== undefined && ratio.median < 1 - MOST_LOST));

export async function runGuard(options: Options, size: string, say: (line: string) => void): Promise<GuardResult> {
  const commit = otherCommit(options.against);
  const folder = path.join(options.data, "guard");
  const checkout = await checkOut(commit, folder);
  const data = path.join(folder, commit.slice(0, 12));
  const notes = [`compared with commit ${commit.slice(0, 7)}; fails below ${(1 - MOST_LOST).toFixed(2)} ×`];
  if (!buildData(checkout, data, size, options.seed))
    notes.push("the other commit has no benchmark: the data was built by this one");
  const kept = await dataFolder(data, size, options.seed);
  let ours: Served | undefined;
  let theirs: Served | undefined;
  try {
    theirs = await serve(kept, { port: options.port + 1, checkout });
    ours = await serve(kept, { port: options.port, checkout: root });
    const other = theirs;
    const what = commitOf(checkout);
    const rows: ResultRow[] = [];
    for (const row of shortSet(ours.universe)) {
      if (!row.name.includes(options.only)) continue;
      const run = (seconds: number, seed: number) => askService({ options, served: other }, row, seed, seconds);
      const reference = { what, run };
      rows.push(await compare({ options, size, served: ours, say }, { ...row, reference, besideWrites: false }));
    }
    return { rows, lost: lostRows(rows), notes };
  } finally {
    await ours?.stop();
    await theirs?.stop();
  }
}
