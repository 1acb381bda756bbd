// Measures one section of a served organization, and keeps the result: JSON for programs, RESULTS.md for people.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Context } from "./compare.ts";
import { measureCeiling } from "./load/ceiling.ts";
import type { Options } from "./options.ts";
import { commitOf, describeMachine } from "./report/machine.ts";
import { writeMarkdown } from "./report/markdown.ts";
import type { ResultFile } from "./report/result.ts";
import { type Section, sections } from "./sections/sections.ts";
import { watchMemory } from "./serve/process-figures.ts";
import type { Served } from "./serve/serve.ts";

export async function describeRun(options: Options, served?: Served) {
  return {
    commit: commitOf(),
    date: new Date().toISOString(),
    machine: await describeMachine(served),
    loadBefore: os.loadavg()[0] ?? 0,
    seconds: options.seconds,
    rounds: options.rounds,
    connections: options.connections,
    seed: options.seed,
  };
}

export async function measureServed(context: Context, name: string, section: Section): Promise<ResultFile> {
  const { options, served, size } = context;
  const run = await describeRun(options, served);
  const memory = watchMemory(served.pid);
  const { rows, notes } =
    "told" in section
      ? await section.told(context)
      : { rows: "rows" in section ? await section.rows(context) : [], notes: [] };
  const facts = "facts" in section ? await section.facts(context) : [];
  const most = memory.stop();
  const bytes = Math.max(0, ...rows.map(({ service }) => service.bytes ?? 0));
  const ceiling =
    bytes > 0 ? await measureCeiling(bytes, options.connections, Math.min(3, options.seconds)) : undefined;
  return {
    section: name,
    size,
    ...run,
    ...(ceiling ? { ceiling: { bytes, perSecond: ceiling.perSecond } } : {}),
    rows,
    facts,
    notes,
    ...(most === undefined ? {} : { memory: most }),
  };
}

/** Every section's last result, the large sizes last. */
export function keep(options: Options, file: ResultFile): void {
  const folder = path.join(options.out, "results");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${file.section}-${file.size}.json`), `${JSON.stringify(file, undefined, 1)}\n`);
  const order = [...Object.keys(sections), "peers", "guard"];
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    // Written by this program.
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")) as ResultFile)
    .toSorted((a, b) => order.indexOf(a.section) - order.indexOf(b.section) || a.size.length - b.size.length);
  writeFileSync(path.join(options.out, "RESULTS.md"), writeMarkdown(files));
}
