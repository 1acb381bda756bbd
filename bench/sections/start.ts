// How long the service takes from its process to the first answer: with an empty folder, and warm with the demo.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../../server/lib/root.ts";
import { spread } from "../load/figures.ts";
import type { Options } from "../options.ts";
import { benchPassword } from "../organization/people.ts";
import type { Fact } from "../report/result.ts";
import { residentMemory } from "../serve/process-figures.ts";
import { spawnService } from "../serve/serve.ts";

export async function measureStart(options: Options): Promise<readonly Fact[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "dossier-bench-start-"));
  // The engine runs as an account of its own where we are root: the folder must be open to it.
  chmodSync(folder, 0o755);
  const environment = {
    DATA_DIR: path.join(folder, "data"),
    PORT: String(options.port),
    ADMIN_PASSWORD: benchPassword,
    DEMO_DATA: "1",
  };
  const memory: number[] = [];
  const start = async (): Promise<number> => {
    const began = performance.now();
    const { child, stop } = await spawnService(root, environment);
    const took = (performance.now() - began) / 1000;
    memory.push(residentMemory(child.pid ?? 0) ?? Number.NaN);
    await stop();
    return took;
  };
  try {
    const first = await start();
    const warm: number[] = [];
    for (let round = 0; round < Math.max(3, options.rounds); round += 1) warm.push(await start());
    const { median, low, high } = spread(warm);
    return [
      { name: "first start, empty folder, demo data made", value: first, unit: "s" },
      { name: "warm start with the demo", value: median, unit: "s", note: `${low.toFixed(2)}–${high.toFixed(2)} s` },
      { name: "memory when ready", value: spread(memory).median, unit: "MiB" },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
