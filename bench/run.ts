// `npm run bench -- [section …]`: builds or reuses the data, serves it, measures, and writes JSON and RESULTS.md.
import { runGuard } from "./guard/guard.ts";
import { describeRun, keep, measureServed } from "./measure.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { dataFolder } from "./organization/build.ts";
import { onRequest, sectionNamed, sections } from "./sections/sections.ts";
import { serve } from "./serve/serve.ts";
import { runSoak } from "./soak/soak.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const known = `Sections: ${Object.keys(sections).join(", ")}; on request: ${Object.keys(onRequest).join(", ")}`;

function chosenSections(options: Options): readonly string[] {
  const unknown = options.sections.find((name) => !sectionNamed(name));
  if (unknown !== undefined) throw new Error(`There is no section "${unknown}". ${known}\n\n${usage}`);
  return options.sections.length > 0 ? options.sections : Object.keys(sections);
}

async function runServed(options: Options, size: string, chosen: readonly string[]): Promise<void> {
  const folder = await dataFolder(options.data, size, options.seed);
  const served = await serve(folder, { port: options.port, inPlace: options.inPlace });
  try {
    for (const name of chosen) {
      const section = sectionNamed(name);
      if (!section) continue;
      say(`\n${name}, ${size}`);
      keep(options, await measureServed({ options, size, served, say }, name, section));
    }
  } finally {
    await served.stop();
  }
}

/** Gives whether nothing was lost. */
async function guard(options: Options): Promise<boolean> {
  let passed = true;
  for (const size of options.sizes) {
    const run = await describeRun(options);
    const { rows, lost, notes } = await runGuard(options, size, say);
    keep(options, { section: "guard", size, ...run, rows, facts: [], notes });
    for (const { name, caller, ratio, service } of lost)
      say(`LOST: ${name}, ${caller}: ${ratio?.median.toFixed(2)} ×, ${service.errors} errors`);
    passed &&= lost.length === 0;
  }
  say(passed ? "Nothing was lost." : "Something was lost.");
  return passed;
}

async function soak(options: Options): Promise<boolean> {
  const run = await describeRun(options);
  const { facts, notes, isSound } = await runSoak(options, say);
  keep(options, { section: "soak", size: "demo", ...run, rows: [], facts, notes });
  say(isSound ? "Nothing was lost." : "Something is wrong.");
  return isSound;
}

/** Gives whether it went well; the figures may be what they like, but for `guard` and `soak`. */
export async function runBench(args: readonly string[]): Promise<boolean> {
  const options = readOptions(args);
  if (options.help) {
    say(`${usage}\n\n${known}`);
    return true;
  }
  if (options.sections.includes("guard")) return guard(options);
  if (options.sections.includes("soak")) return soak(options);
  if (options.sections.includes("data")) {
    for (const size of options.sizes) await dataFolder(options.data, size, options.seed);
    return true;
  }
  const chosen = chosenSections(options);
  const isAlone = (name: string) => "alone" in (sectionNamed(name) ?? {});
  const onData = chosen.filter((name) => !isAlone(name));
  if (onData.length > 0) for (const size of options.sizes) await runServed(options, size, onData);
  for (const name of chosen) {
    const section = sectionNamed(name);
    if (!section || !("alone" in section)) continue;
    const run = await describeRun(options);
    const facts = await section.alone(options);
    keep(options, { section: name, size: "demo", ...run, rows: [], facts, notes: [] });
  }
  return true;
}

if (process.argv[1]?.endsWith("run.ts")) {
  // What runs for the benchmark ends with it, and its copies of the data go.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  runBench(process.argv.slice(2)).then(
    (well) => {
      process.exitCode = well ? 0 : 1;
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}
