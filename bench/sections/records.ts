// Views of single leads: of few, by popularity and of all, as each caller, with and without their form, against a bare
// service that sends the same statements.
import pg from "pg";
import { type Context, compare } from "../compare.ts";
import { type BareService, startBareView } from "../lean/bare-view.ts";
import { runLoad } from "../load/http-load.ts";
import { isWanted } from "../options.ts";
import type { CallerName } from "../organization/people.ts";
import type { ResultRow } from "../report/result.ts";
import { createRandom, type Random, seedOf, zipf } from "../traffic/random.ts";

const KNOWN_IDS = 50_000;
const SAME = 200;
/** Views of which the statements are logged. */
const LOOKED = 12;

/** Leads that the caller reads, in no order. */
async function readableIds({ served, options }: Context, caller: CallerName): Promise<readonly string[]> {
  const { organizationId, rows, readers } = served.universe;
  const { aclIds } = readers[caller];
  const random = createRandom(seedOf("ids", options.seed, caller));
  if (!aclIds) return Array.from({ length: Math.min(rows, KNOWN_IDS) }, () => String(random.integer(1, rows)));
  const client = new pg.Client(served.connection);
  await client.connect();
  try {
    const { rows: found } = await client.query<{ id: string }>(
      `select id::text as id from crm__leads where organization_id = $1 and acl_id = any($2::integer[])
       order by md5(id::text) limit $3`,
      [organizationId, aclIds, KNOWN_IDS],
    );
    return found.map(({ id }) => id);
  } finally {
    await client.end();
  }
}

interface Views {
  readonly name: string;
  readonly pathOf: (id: string) => string;
  readonly pick: (random: Random) => string;
  readonly besideWrites: boolean;
}

function viewsOf(ids: readonly string[], popular: (random: Random) => number): readonly Views[] {
  const view = (id: string) => `/crm/leads/view.json?id=${id}`;
  const alone = (id: string) => `${view(id)}&form=0`;
  const any = (random: Random) => random.pick(ids);
  const same = ids.slice(0, SAME);
  return [
    {
      name: `view, the same ${SAME} again and again, nobody writes`,
      pathOf: view,
      pick: (random) => random.pick(same),
      besideWrites: true,
    },
    { name: "view, random of all", pathOf: view, pick: any, besideWrites: true },
    {
      name: "view, random by popularity (Zipf)",
      pathOf: view,
      pick: (random) => ids[popular(random) - 1] ?? "",
      besideWrites: true,
    },
    { name: "view without its form (form=0), random of all", pathOf: alone, pick: any, besideWrites: false },
  ];
}

export async function measureRecords(context: Context): Promise<ResultRow[]> {
  const { options, served } = context;
  const rows: ResultRow[] = [];
  for (const caller of options.callers) {
    const ids = await readableIds(context, caller);
    const looked = [...new Set(ids)].slice(0, LOOKED);
    for (const { name, pathOf, pick, besideWrites } of viewsOf(ids, zipf(ids.length))) {
      if (!isWanted(`${name}, ${caller}`, options)) continue;
      let bare: BareService | undefined;
      try {
        bare = await startBareView(served, caller, looked, pathOf, options.connections);
        const { port, statements } = bare;
        const run = (seconds: number, seed: number) => {
          const random = createRandom(seed);
          const next = () => ({ path: `/view?id=${pick(random)}` });
          return runLoad({ port, token: "", connections: options.connections, seconds, next });
        };
        const reference = { what: `bare service (${statements} statements)`, run };
        const next = (random: Random) => ({ path: pathOf(pick(random)) });
        rows.push(await compare(context, { name, caller, next, reference, besideWrites }));
      } finally {
        bare?.stop();
      }
    }
  }
  return rows;
}
