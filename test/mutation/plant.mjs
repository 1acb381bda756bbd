// Takes files of the server, a number and a seed; copies what the tests need to .mutation/sample with that many faults planted, drawn
// at random from all that Stryker would plant there. Each is off until its id is switched on.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.dirname(path.dirname(here));
export const copy = path.join(root, ".mutation", process.env.MUTATION_NAME ?? "sample");
const copied = [
  "contract",
  "server",
  "client",
  "demo",
  "test",
  "package.json",
  "vitest.config.ts",
  "tsconfig.json",
  "tsconfig.base.json",
];

/** Mulberry32: the same faults for the same seed. */
function drawFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function openInstrumenter() {
  const require = createRequire(path.join(here, "node_modules/@stryker-mutator/core/package.json"));
  const load = (name) => import(pathToFileURL(require.resolve(name)).href);
  const { createInstrumenter } = await load("@stryker-mutator/instrumenter");
  const { commonTokens } = await load("@stryker-mutator/api/plugin");
  const { createInjector } = await load("typed-inject");
  const quiet = Object.fromEntries(
    ["debug", "info", "warn", "error", "fatal", "trace"].map((name) => [name, () => undefined]),
  );
  const logger = { ...quiet, isDebugEnabled: () => false };
  const injector = createInjector()
    .provideValue(commonTokens.getLogger, () => logger)
    .provideValue(commonTokens.logger, logger);
  return injector.injectFunction(createInstrumenter);
}

const settings = { plugins: null, excludedMutations: [], ignorers: [] };
const placeOf = ({ start, end }) => [start.line, start.column, end.line, end.column].join(":");
const nameOf = (fault) => [fault.fileName, placeOf(fault.location), fault.mutatorName, fault.replacement].join("|");

export async function plant(files, count, seed) {
  const instrumenter = await openInstrumenter();
  const textOf = (name) => readFileSync(path.join(root, name), "utf8");
  const all = [];
  for (const name of files) {
    const { mutants } = await instrumenter.instrument([{ name, content: textOf(name), mutate: true }], settings);
    all.push(...mutants.filter((fault) => fault.status !== "Ignored"));
  }
  const next = drawFrom(seed);
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1));
    [all[at], all[other]] = [all[other], all[at]];
  }
  const drawn = all.slice(0, count);

  mkdirSync(copy, { recursive: true });
  for (const name of copied) {
    rmSync(path.join(copy, name), { recursive: true, force: true });
    if (name.includes(".")) cpSync(path.join(root, name), path.join(copy, name));
  }
  const folders = copied.filter((name) => !name.includes("."));
  const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...folders], {
    cwd: root,
    encoding: "utf8",
  });
  for (const name of tracked.split("\n").filter(Boolean)) cpSync(path.join(root, name), path.join(copy, name));

  const planted = [];
  for (const name of new Set(drawn.map((fault) => fault.fileName))) {
    const own = drawn.filter((fault) => fault.fileName === name);
    const ranges = own.map(({ location }) => location);
    const result = await instrumenter.instrument([{ name, content: textOf(name), mutate: ranges }], settings);
    const wanted = new Set(own.map(nameOf));
    let { content } = result.files[0];
    for (const fault of result.mutants) {
      const id = `${planted.length}`;
      const isWanted = wanted.has(nameOf(fault));
      // Ids begin at 0 in each file.
      content = content.replaceAll(
        new RegExp(`(stryMutAct_9fa48\\()"${fault.id}"\\)`, "gu"),
        `$1"${isWanted ? `#${id}` : "off"}")`,
      );
      content = content.replaceAll(
        /stryCov_9fa48\(([^)]*)\)/gu,
        (_, ids) =>
          `stryCov_9fa48(${ids
            .split(", ")
            .map((one) => (one === `"${fault.id}"` && isWanted ? `"#${id}"` : one))
            .join(", ")})`,
      );
      if (isWanted) planted.push({ ...fault, id: `#${id}` });
    }
    writeFileSync(path.join(copy, name), content);
  }
  return { possible: all.length, planted };
}
