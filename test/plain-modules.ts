// Takes the sources of the service; gives them to the tests as plain JavaScript, which Node loads by itself. Vitest would translate
// each module for every worker, and make each use of an import the call of a function.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin as BuildPlugin } from "esbuild";
import type { Plugin } from "vitest/config";
import { buildWhatChanged } from "./build-what-changed.ts";

const root = path.dirname(import.meta.dirname);
const made = path.join(root, "dist", "test", "modules");
const folders = ["contract", "demo", "server"];
const cheapArgon2 = path.join(root, "test", "cheap-argon2.ts");

/** Packages in whose place the suite puts a file. */
export const standIns: Record<string, string> = {
  // To guess a password is made slow on purpose: at full cost that was a tenth of what the scenarios do.
  "@node-rs/argon2": cheapArgon2,
};

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);
const isSource = (file: string): boolean =>
  file === cheapArgon2 ||
  (file.endsWith(".ts") &&
    !isTest(file) &&
    folders.some((folder) => file.startsWith(path.join(root, folder) + path.sep)));

const plainOf = (file: string): string => path.join(made, path.relative(root, file).replace(/\.ts$/, ".mjs"));

/** Every module stays one of its own, and knows where its source is. */
const oneByOne: BuildPlugin = {
  name: "one-by-one",
  setup(building) {
    building.onResolve({ filter: /^\./ }, ({ path: name, kind }) =>
      kind === "entry-point" ? undefined : { path: name.replace(/\.ts$/, ".mjs"), external: true },
    );
    building.onResolve({ filter: /^@/ }, ({ path: name }) => {
      const standIn = standIns[name];
      return standIn === undefined ? undefined : { path: pathToFileURL(plainOf(standIn)).href, external: true };
    });
    building.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const text = readFileSync(file, "utf8");
      if (!text.includes("import.meta.url")) return undefined;
      return { contents: text.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(file).href)), loader: "ts" };
    });
  },
};

async function makeModules(): Promise<void> {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      path.join(root, folder, name),
    ),
  );
  const entryPoints = [cheapArgon2, ...files.filter(isSource)];
  await buildWhatChanged({
    entryPoints,
    outdir: made,
    outbase: root,
    packages: "external",
    sourcemap: true,
    plugins: [oneByOne],
  });
}

/** Whoever wants a module anew, or with something else in the place of what it imports, has it from its source. */
const loadsAnew = (file: string): boolean =>
  isTest(file) && /\bvi\.(?:resetModules|mock|doMock)\(/u.test(readFileSync(file, "utf8"));

/** Not while somebody waits for changes, nor where tests are chosen by what they load, or what they load is counted: Vitest sees only what it loads itself. */
export function plainModules(): Plugin {
  let making: Promise<void> | undefined;
  let isOn = false;
  return {
    name: "plain-modules",
    enforce: "pre",
    config: () => ({ test: { server: { deps: { external: [/\/dist\/test\/modules\//] } } } }),
    configureVitest({ vitest }) {
      const { watch, coverage, related, changed } = vitest.config;
      isOn = !watch && !coverage.enabled && !related && !changed;
    },
    async resolveId(name, importer) {
      if (!isOn || importer === undefined || !name.startsWith(".")) return undefined;
      const file = path.resolve(path.dirname(importer), name);
      if (!isSource(file) || isSource(importer) || loadsAnew(importer)) return undefined;
      making ??= makeModules();
      await making;
      return plainOf(file);
    },
  };
}
