// npm run mutation -- <area> [--wide] [--sample <share>] [<file> …]: installs the mutation tool on first use and runs it.
// Without --wide the unit and property tests that stand beside the area judge it; with it, all scenarios on the wire as well,
// which takes hours. --sample 0.2 plants every fifth fault. What was found out is kept in node_modules/.cache.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(path.dirname(here));
const areas = ["access", "records", "workflow", "jobs"];
const scenarios = { access: "access", records: "{records,lists}", workflow: "workflow", jobs: "records" };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { wide: { type: "boolean", default: false }, sample: { type: "string", default: "1" } },
});
const [area = "", ...names] = positionals;
const share = Number(values.sample);
if (!areas.includes(area) || !(share > 0 && share <= 1)) {
  console.error(`npm run mutation -- ${areas.join(" | ")} [--wide] [--sample 0.2] [file …]`);
  process.exit(2);
}

const folder = `server/${area}`;
const files = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
  .map((name) => `${folder}/${name}`)
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .filter((name) => names.length === 0 || names.some((wanted) => name === `${folder}/${wanted}` || name === wanted));

/** Every so many lines, the same ones each time: a share of the lines is a share of the faults. */
const sampled = (file) => {
  if (share === 1) return [file];
  const lines = readFileSync(path.join(root, file), "utf8").split("\n");
  const step = Math.round(1 / share);
  return lines.flatMap((line, index) =>
    index % step === 0 && line.trim() !== "" ? [`${file}:${index + 1}-${index + 1}`] : [],
  );
};

if (!existsSync(path.join(here, "node_modules"))) {
  const installed = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: here,
    stdio: "inherit",
  });
  if (installed.status !== 0) process.exit(installed.status ?? 1);
}
const kept = path.join(root, "node_modules/.cache/mutation");
mkdirSync(kept, { recursive: true });
const tests = [
  `${folder}/**/*.test.ts`,
  ...(values.wide
    ? [`test/http/${scenarios[area]}/**/*.test.ts`, ...(area === "access" ? ["test/access/**/*.test.ts"] : [])]
    : []),
];
const stryker = path.join(here, "node_modules/@stryker-mutator/core/bin/stryker.js");
const { status } = spawnSync(process.execPath, [stryker, "run", "test/mutation/stryker.config.mjs"], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    MUTATE: files.flatMap(sampled).join("\n"),
    MUTATION_TESTS: tests.join("\n"),
    MUTATION_KEPT: path.join(kept, `${area}${values.wide ? "-wide" : ""}.json`),
  },
});
process.exit(status ?? 1);
