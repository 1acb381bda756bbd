// Tries faults that plant.mjs drew, one at a time, each with the whole test files that reach it: npm run mutation -- <place> …
// --faults 40 --seed 1. Which files those are is found out by a run without faults. What came of each fault is written
// down at once, so a run that was ended continues where it was.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { createVitest } from "vitest/node";
import { copy } from "./plant.mjs";

const { folder, tests, planted } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const reachedFile = path.join(folder, "reached.jsonl");
const resultsFile = path.join(folder, "results.jsonl");
const linesOf = (file) =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

process.chdir(copy);
const { VITEST: _in, ...environment } = process.env;
process.env = environment;
const vitest = await createVitest("test", {
  root: copy,
  config: path.join(copy, "vitest.config.ts"),
  watch: false,
  reporters: [{}],
  bail: 1,
  maxWorkers: 1,
  testTimeout: 240_000,
  hookTimeout: 240_000,
  setupFiles: [path.join(copy, "test/mutation/reached.ts")],
});

async function runTests(files, fault, limit) {
  vitest.provide("fault", fault);
  vitest.provide("reachedFile", fault === "" ? reachedFile : "");
  const specifications = (await vitest.globTestSpecifications()).filter(({ moduleId }) =>
    files.includes(path.relative(copy, moduleId)),
  );
  const order = (one) => files.indexOf(path.relative(copy, one.moduleId));
  specifications.sort((a, b) => order(a) - order(b));
  if (specifications.length !== files.length) throw new Error(`not all of these are tests: ${files.join(", ")}`);
  // What failed with another fault is no longer of interest.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  let late;
  const tooLate = new Promise((resolve) => {
    late = setTimeout(() => resolve(undefined), limit);
  });
  const run = await Promise.race([vitest.runTestSpecifications(specifications, true), tooLate]);
  clearTimeout(late);
  if (run === undefined) return { status: "late" };
  const modules = specifications.map(({ moduleId }) => run.testModules.find((one) => one.moduleId === moduleId));
  // What was under way when a test failed elsewhere is left where it was, and sometimes so is the file of that test.
  if (run.unhandledErrors.length === 0 && modules.every((one) => one?.state() === "passed"))
    return { status: "missed" };
  const failed = modules.filter((one) => one?.state() === "failed");
  const said = failed.map((module) => {
    const test = [...module.children.allTests("failed")][0];
    const errors = test?.result().errors ?? module.errors();
    return `${path.relative(copy, module.moduleId)} > ${test?.fullName ?? ""}: ${errors[0]?.message?.split("\n")[0] ?? "?"}`;
  });
  return { status: "noticed", by: said[0] ?? "a run that was cut short by the first failure" };
}

/** A fault that so many files run into without noticing has got past. */
const MOST_FILES = 12;
const seconds = (since) => Math.round((Date.now() - since) / 1000);
const known = new Set(linesOf(reachedFile).map(({ name }) => path.relative(copy, name)));
const unknown = tests.filter((test) => !known.has(test));
if (unknown.length > 0) {
  const since = Date.now();
  const { status, by } = await runTests(unknown, "", 3_600_000);
  console.log(`without faults: ${status === "missed" ? "passed" : `${status} ${by}`} (${seconds(since)} s)`);
  if (status !== "missed") process.exit(1);
}
/** Those that do little else than run into it come first: they are likely to notice it, and soon. */
function filesReaching(id) {
  const reaching = linesOf(reachedFile).flatMap(({ name, hits }) => {
    const all = Object.values(hits).reduce((sum, count) => sum + count, 0);
    return hits[id] === undefined ? [] : [{ file: path.relative(copy, name), share: hits[id] / all }];
  });
  return reaching
    .sort((one, other) => other.share - one.share)
    .map(({ file }) => file)
    .slice(0, MOST_FILES);
}

const done = new Set(linesOf(resultsFile).map(({ id }) => id));
for (const { id, fileName, location, mutatorName, replacement } of planted) {
  if (done.has(id)) continue;
  const files = filesReaching(id);
  const since = Date.now();
  const outcome = files.length === 0 ? { status: "not reached" } : await runTests(files, id, 600_000);
  const at = `${fileName}:${location.start.line + 1}:${location.start.column + 1}`;
  const change = `${mutatorName} → ${replacement.replaceAll(/\s+/gu, " ").slice(0, 100)}`;
  const line = { id, ...outcome, at, change, files, seconds: seconds(since) };
  appendFileSync(resultsFile, `${JSON.stringify(line)}\n`);
  console.log(`${line.status} ${id} ${at} ${change} | ${line.by ?? files.length} (${line.seconds} s)`);
  if (line.status !== "late") continue;
  await Promise.race([vitest.close(), new Promise((resolve) => setTimeout(resolve, 20_000))]);
  process.exit(3);
}
await vitest.close();
process.exit(0);
