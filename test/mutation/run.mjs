// npm run mutation -- <place> … [--wide] [--sample <share>]: installs the mutation tool on first use and runs it. A place is a
// folder or a file: server/access, server/records/save, server/workflow/state.ts. The unit tests beside it judge it, as far as
// they do without a database; with --wide all of them do, and the scenarios on the wire of its room: hours for a room. --sample 0.2
// tries the faults of every fifth line. What was found out is kept in node_modules/.cache.
// With --faults 40 --seed 1 that many are drawn at random from all files of the place, and each is tried with the whole test files
// that reach it (try-faults.mjs): what a room's score is taken from. --again tries only those that got past the last time,
// --tests <file> takes these test files and no others.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(path.dirname(here));

/** Which scenarios on the wire go through a room; the first that a file is in. */
const scenarios = [
  ["server/access", ["test/http/access", "test/access"]],
  ["server/records/list", ["test/http/lists"]],
  ["server/records/read", ["test/http/records/view.test.ts", "test/http/access/view-cache.test.ts"]],
  ["server/records/bulk", ["test/http/records/bulk.test.ts", "test/http/records/bulk-equals.test.ts"]],
  ["server/records/history", ["test/http/records/revisions.test.ts"]],
  ["server/records/workflow", ["test/http/workflow"]],
  ["server/records", ["test/http/records"]],
  ["server/workflow", ["test/http/workflow"]],
  [
    "server/jobs",
    [
      "test/http/records/bulk.test.ts",
      "test/http/records/undo-again.test.ts",
      "test/http/records/import.test.ts",
      "test/http/records/import-meanwhile.test.ts",
      "test/http/records/import-summary.test.ts",
      "test/http/records/import-storage.test.ts",
      "test/http/records/import-attacks.test.ts",
      "test/http/workflow/move-job.test.ts",
    ],
  ],
];

/** What judges faults that are drawn from a whole room: files that reach most of it, and soon. */
const judges = {
  "server/records": [
    ...[
      "save",
      "delete",
      "batch-equals",
      "bulk",
      "upsert",
      "follow",
      "revisions",
      "timeline",
      "view",
      "changes",
      "files",
    ],
    ...[
      "content",
      "../workflow/workflow",
      "../workflow/stage-field",
      "../workflow/batch-steps",
      "../workflow/conversion",
    ],
    ...["../lists/list", "../lists/list-views", "../lists/list-groups", "../lists/list-search", "../lists/list-export"],
    ...["../lists/money", "../lists/list-paging", "../access/secrecy", "../access/by-field"],
  ],
  "server/jobs": [
    ...["import-summary", "undo-again", "../workflow/move-job", "bulk", "import-meanwhile", "import", "import-storage"],
    ...["import-bounds", "bulk-equals", "follow"],
  ],
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    wide: { type: "boolean", default: false },
    sample: { type: "string", default: "1" },
    faults: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    again: { type: "boolean", default: false },
    tests: { type: "string", multiple: true, default: [] },
  },
});
const share = Number(values.sample);
const drawn = Number(values.faults);
/** `access` and `server/access` are the same place. */
const places = positionals
  .map((name) => name.replace(/\/+$/, ""))
  .map((name) => (existsSync(path.join(root, name)) ? name : `server/${name}`));
const missing = places.filter((place) => !existsSync(path.join(root, place)));
if (places.length === 0 || missing.length > 0 || !(share > 0 && share <= 1) || !(drawn >= 0)) {
  if (missing.length > 0) console.error(`not found: ${missing.join(", ")}`);
  console.error(
    "npm run mutation -- server/access [server/workflow/state.ts …] [--wide] [--sample 0.2 | --faults 40 --seed 1 [--again] [--tests <file>]]",
  );
  process.exit(2);
}

const isFolder = (place) => statSync(path.join(root, place)).isDirectory();
const filesBelow = (place) =>
  readdirSync(path.join(root, place), { recursive: true, encoding: "utf8" }).map((name) => `${place}/${name}`);
const filesIn = (place) => (isFolder(place) ? filesBelow(place) : [place]);
const files = [...new Set(places.flatMap(filesIn))]
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.endsWith("-fixture.ts"))
  .sort();

/** Tests with a database of their own take seconds, each time a fault is tried; the others none. */
const hasDatabase = (test) => /test\/(database|service)\.ts"/.test(readFileSync(path.join(root, test), "utf8"));
/** All tests of the folder that a file is in: which of them reach a fault is found out by running them once. */
const besides = [...new Set(files.map((file) => path.dirname(file)))]
  .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((name) => name.endsWith(".test.ts") && (values.wide || drawn > 0 || !hasDatabase(name)));
const onTheWire = files.flatMap((file) => scenarios.find(([room]) => file.startsWith(`${room}/`))?.[1] ?? []);
const tests = [
  ...besides,
  ...(values.wide ? [...new Set(onTheWire)] : []).map((name) => (name.endsWith(".ts") ? name : `${name}/**/*.test.ts`)),
];
if (tests.length === 0 && drawn === 0) {
  console.error("no test there does without a database: --wide runs those that have one");
  process.exit(2);
}

if (!existsSync(path.join(here, "node_modules"))) {
  const installed = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: here,
    stdio: "inherit",
  });
  if (installed.status !== 0) process.exit(installed.status ?? 1);
}
/** As often as a fault keeps a test from ending (3): what still runs then goes with its process group. */
async function tryFaults(plan) {
  for (;;) {
    const trying = spawn(process.execPath, [path.join(here, "try-faults.mjs"), plan], {
      cwd: root,
      stdio: "inherit",
      detached: true,
    });
    const end = () => process.kill(-trying.pid, "SIGKILL");
    process.once("SIGINT", end).once("SIGTERM", end);
    const [code] = await once(trying, "exit");
    process.off("SIGINT", end).off("SIGTERM", end);
    if (code !== 3) return code ?? 1;
    end();
  }
}

/** The tests beside all of these files, then those of their room. */
function judgesOf() {
  if (values.tests.length > 0) return values.tests;
  const room = Object.keys(judges).find((one) => files.every((file) => file.startsWith(`${one}/`)));
  const isTest = (name) => name.endsWith(".test.ts");
  const own = places.filter(isFolder).flatMap((place) => filesBelow(place).filter(isTest));
  const named = room ? judges[room].map((name) => path.posix.join("test/http/records", `${name}.test.ts`)) : onTheWire;
  return [
    ...new Set([...own, ...besides, ...named.flatMap((one) => (isTest(one) ? one : filesBelow(one).filter(isTest)))]),
  ];
}

const kept = path.join(root, "node_modules/.cache/mutation");
/** A name for what was asked for that a file can have. */
const asked = createHash("sha256").update(places.join(" ")).digest("hex").slice(0, 16);

if (drawn > 0) {
  const folder = path.join(kept, `${asked}-${drawn}-${values.seed}`);
  const results = path.join(folder, "results.jsonl");
  const before = values.again && existsSync(results) ? readFileSync(results, "utf8").split("\n").filter(Boolean) : [];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const noticed = before.filter((line) => JSON.parse(line).status === "noticed");
  writeFileSync(results, noticed.map((line) => `${line}\n`).join(""));
  const { plant } = await import("./plant.mjs");
  const { possible, planted } = await plant(files, drawn, Number(values.seed));
  console.log(`${planted.length} of ${possible} faults, seed ${values.seed}`);
  const plan = path.join(folder, "plan.json");
  writeFileSync(plan, JSON.stringify({ folder, planted, tests: judgesOf() }));
  process.exit(await tryFaults(plan));
}

/** Every so many lines of all files, the same ones each time: a share of the lines is a share of the faults. */
const step = Math.round(1 / share);
const lines = files.flatMap((file) =>
  readFileSync(path.join(root, file), "utf8")
    .split("\n")
    .flatMap((line, index) => (line.trim() === "" ? [] : [`${file}:${index + 1}-${index + 1}`])),
);
const mutated = share === 1 ? files : lines.filter((_, index) => index % step === Math.floor(step / 2));

mkdirSync(kept, { recursive: true });
const stryker = path.join(here, "node_modules/@stryker-mutator/core/bin/stryker.js");
const { status } = spawnSync(process.execPath, [stryker, "run", "test/mutation/stryker.config.mjs"], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    MUTATE: mutated.join("\n"),
    MUTATION_TESTS: tests.join("\n"),
    MUTATION_DATABASE: values.wide ? "1" : "",
    MUTATION_KEPT: path.join(kept, `${asked}${values.wide ? "-wide" : ""}.json`),
  },
});
process.exit(status ?? 1);
