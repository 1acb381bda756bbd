// What the service needs of memory: before any work, at the peak of everything at once, during an export, and afterwards.
import { setTimeout as delay } from "node:timers/promises";
import { askService, type Context } from "../compare.ts";
import { startWrites } from "../load/paced-writes.ts";
import { VIEW_ID } from "../organization/view.ts";
import type { Fact } from "../report/result.ts";
import { residentMemory, watchMemory } from "../serve/process-figures.ts";
import { groupTraffic } from "../traffic/groups.ts";
import { listTraffic, searchTraffic } from "../traffic/lists.ts";
import { createRandom, type Random, seedOf } from "../traffic/random.ts";
import { writeTraffic } from "../traffic/writes.ts";

const EXPORTED = 100_000;

export async function measureMemory(context: Context): Promise<readonly Fact[]> {
  const { served, options } = context;
  const { universe, pid, port, tokens } = served;
  const fact = (name: string, value: number | undefined, note = ""): Fact[] =>
    value === undefined ? [] : [{ name, value, unit: "MiB", note }];
  const before = residentMemory(pid);

  const mixed = watchMemory(pid);
  const write = writeTraffic(universe);
  const random = createRandom(seedOf("memory", options.seed));
  const writes = startWrites(port, tokens.administrator, 5, () => write(random));
  for (const caller of options.callers) {
    const all = [listTraffic, searchTraffic, groupTraffic].flatMap((traffic) => traffic(universe, caller));
    const view = (random: Random) => ({ path: `/crm/leads/view.json?id=${random.integer(1, universe.rows)}` });
    const kinds = [...all.map(({ next }) => next), ...(caller === "administrator" ? [view, view, view] : [])];
    const next = (random: Random) => random.pick(kinds)(random);
    await askService(
      context,
      { caller, next },
      seedOf("memory", options.seed, caller),
      options.seconds * options.rounds,
    );
  }
  await writes.stop();
  const peak = mixed.stop();

  const exporting = watchMemory(pid);
  const where = encodeURIComponent(JSON.stringify({ where: { "leads.id": { op: "<=", value: String(EXPORTED) } } }));
  const address = `http://127.0.0.1:${port}/crm/leads/export.json?format=csv&current_listview=${VIEW_ID}&q=${where}`;
  const began = performance.now();
  const response = await fetch(address, { headers: { authorization: `Bearer ${tokens.administrator}` } });
  if (!response.ok) throw new Error(`the export answered ${response.status} ${await response.text()}`);
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
  const took = (performance.now() - began) / 1000;
  const exported = exporting.stop();

  await delay(5_000);
  const rows = Math.min(EXPORTED, universe.rows).toLocaleString("en");
  return [
    ...fact("after the start", before),
    ...fact("at the peak of lists, searches, charts, views and 5 writes/s", peak),
    ...fact(
      `at the peak of an export of ${rows} leads`,
      exported,
      `${took.toFixed(1)} s, ${Math.round(bytes / 1024 ** 2)} MiB of CSV`,
    ),
    ...fact("five seconds later", residentMemory(pid)),
  ];
}
