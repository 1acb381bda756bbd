// npm run mutation -- <place> … [--wide] [--sample <share>]: installs the mutation tool on first use and runs it. A place is a
// folder or a file: server/access, server/records/save, server/workflow/state.ts. The unit tests beside it judge it, as far as
// they do without a database; with --wide all of them do, and the scenarios on the wire of its room: hours for a room. --sample 0.2
// tries the faults of every fifth line. What was found out is kept in node_modules/.cache.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
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
      "test/http/workflow/move-job.test.ts",
    ],
  ],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { wide: { type: "boolean", default: false }, sample: { type: "string", default: "1" } },
});
const share = Number(values.sample);
/** `access` and `server/access` are the same place. */
const places = positionals
  .map((name) => name.replace(/\/+$/, ""))
  .map((name) => (existsSync(path.join(root, name)) ? name : `server/${name}`));
const missing = places.filter((place) => !existsSync(path.join(root, place)));
if (places.length === 0 || missing.length > 0 || !(share > 0 && share <= 1)) {
  if (missing.length > 0) console.error(`not found: ${missing.join(", ")}`);
  console.error("npm run mutation -- server/access [server/workflow/state.ts …] [--wide] [--sample 0.2]");
  process.exit(2);
}

const isFolder = (place) => statSync(path.join(root, place)).isDirectory();
const filesIn = (place) =>
  isFolder(place)
    ? readdirSync(path.join(root, place), { recursive: true, encoding: "utf8" }).map((name) => `${place}/${name}`)
    : [place];
const files = [...new Set(places.flatMap(filesIn))].filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.endsWith("-fixture.ts"),
);

/** Tests with a database of their own take seconds, each time a fault is tried; the others none. */
const hasDatabase = (test) => /test\/(database|service)\.ts"/.test(readFileSync(path.join(root, test), "utf8"));
/** All tests of the folder that a file is in: which of them reach a fault is found out by running them once. */
const besides = [...new Set(files.map((file) => path.dirname(file)))]
  .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((name) => name.endsWith(".test.ts") && (values.wide || !hasDatabase(name)));
const onTheWire = files.flatMap((file) => scenarios.find(([room]) => file.startsWith(`${room}/`))?.[1] ?? []);
const tests = [
  ...besides,
  ...(values.wide ? [...new Set(onTheWire)] : []).map((name) => (name.endsWith(".ts") ? name : `${name}/**/*.test.ts`)),
];
if (tests.length === 0) {
  console.error("no test there does without a database: --wide runs those that have one");
  process.exit(2);
}

/** Every so many lines of all files, the same ones each time: a share of the lines is a share of the faults. */
const step = Math.round(1 / share);
const lines = files.flatMap((file) =>
  readFileSync(path.join(root, file), "utf8")
    .split("\n")
    .flatMap((line, index) => (line.trim() === "" ? [] : [`${file}:${index + 1}-${index + 1}`])),
);
const mutated = share === 1 ? files : lines.filter((_, index) => index % step === Math.floor(step / 2));

if (!existsSync(path.join(here, "node_modules"))) {
  const installed = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: here,
    stdio: "inherit",
  });
  if (installed.status !== 0) process.exit(installed.status ?? 1);
}
const kept = path.join(root, "node_modules/.cache/mutation");
mkdirSync(kept, { recursive: true });
/** A name for what was asked for that a file can have. */
const asked = createHash("sha256").update(places.join(" ")).digest("hex").slice(0, 16);
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
