// Beside each test file of a run of try-faults.mjs: switches the fault of the run on, and writes down which faults the file reaches.
import { appendFileSync } from "node:fs";
import { afterAll, expect, inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    fault: string;
    reachedFile: string;
  }
}

interface Planted {
  activeMutant?: string | undefined;
  currentTestId?: string;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

const everywhere = globalThis as { __stryker__?: Planted };
const planted: Planted = everywhere.__stryker__ ?? {};
everywhere.__stryker__ = planted;
const [fault, reachedFile] = [inject("fault"), inject("reachedFile")];
planted.activeMutant = fault === "" ? undefined : fault;
const name = expect.getState().testPath ?? "";
planted.currentTestId = name;

afterAll(() => {
  if (reachedFile === "") return;
  const { static: loading = {}, perTest = {} } = planted.mutantCoverage ?? {};
  // What only runs while a module is loaded is loaded once for several files.
  appendFileSync(reachedFile, `${JSON.stringify({ name, hits: { ...loading, ...perTest[name] } })}\n`);
});
