// How long a login and a request for a new password take for a user who exists and for one who does not: both
// distributions side by side, and how well a listener could tell them apart. Asked in turns, so that what else the
// machine does meets both alike. Run: npx tsx bench/people/measure.ts [rounds]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readConfig } from "../../server/config.ts";
import { openService } from "../../server/service.ts";

const rounds = Number(process.argv[2] ?? 200);
const dataDir = mkdtempSync(path.join(tmpdir(), "dossier-bench-"));
const service = await openService(
  readConfig({
    PORT: "0",
    DATA_DIR: dataDir,
    DEMO_DATA: "0",
    RATE_LIMIT: "0",
    LOG_LEVEL: "silent",
    ADMIN_PASSWORD: "correct-horse-battery",
  }),
);

async function duration(operation: string, values: Record<string, string>): Promise<number> {
  const start = performance.now();
  const answer = await fetch(`${service.url}/access_controls/users/${operation}.json`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ data: { users: values } }),
  });
  await answer.arrayBuffer();
  return performance.now() - start;
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** The chance that a guess from the longer of two answers is right: 0.5 tells nothing. */
function separability(one: readonly number[], other: readonly number[]): number {
  let wins = 0;
  for (const a of one) for (const b of other) wins += a > b ? 1 : a === b ? 0.5 : 0;
  return wins / (one.length * other.length);
}

try {
  for (const operation of ["login", "activate_forgotten_password"]) {
    const times: Record<"exists" | "does not", number[]> = { exists: [], "does not": [] };
    for (let round = -10; round < rounds; round += 1) {
      for (const [who, name] of [
        ["exists", "admin"],
        ["does not", `nobody${round}`],
      ] as const) {
        const took = await duration(operation, { user_name: name, user_password: "a wrong password" });
        if (round >= 0) times[who].push(took);
      }
    }
    console.log(`\n${operation} (${rounds} each)`);
    for (const [who, list] of Object.entries(times)) {
      const sorted = [...list].sort((a, b) => a - b);
      const shown = [0.05, 0.25, 0.5, 0.75, 0.95].map((share) => quantile(sorted, share).toFixed(1).padStart(7));
      console.log(`  ${who.padEnd(9)} p5 p25 p50 p75 p95 ms:${shown.join(" ")}`);
    }
    console.log(`  told apart by time: ${separability(times.exists, times["does not"]).toFixed(3)} (0.5 is chance)`);
  }
} finally {
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
}
