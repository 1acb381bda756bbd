// Takes a commit; gives a checkout of it with a built service, beside the kept data and kept as long as they are.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { root } from "../../server/lib/root.ts";

const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

/** The last release, unless a commit is named: by its tag, or by its commit where a clone has no tags. */
export function otherCommit(against: string | undefined): string {
  const named = against ?? lastTag() ?? git("log", "-1", "--format=%H", "--grep=^chore(release): ", "HEAD~1");
  try {
    return git("rev-parse", "--verify", `${named}^{commit}`);
  } catch {
    throw new Error(
      against === undefined
        ? "There is no release to compare with. Name a commit: npm run bench -- guard --against <commit>"
        : `There is no commit "${against}".`,
    );
  }
}

function lastTag(): string | undefined {
  try {
    return git("describe", "--tags", "--abbrev=0");
  } catch {
    return undefined;
  }
}

export async function checkOut(commit: string, folder: string): Promise<string> {
  const checkout = path.join(folder, `checkout-${commit.slice(0, 12)}`);
  if (!existsSync(path.join(checkout, "package.json"))) {
    mkdirSync(folder, { recursive: true });
    git("worktree", "prune");
    git("worktree", "add", "--detach", checkout, commit);
  }
  if (!existsSync(path.join(checkout, "node_modules"))) {
    const lock = (place: string) => readFileSync(path.join(place, "package-lock.json"), "utf8");
    if (lock(checkout) === lock(root))
      symlinkSync(path.join(root, "node_modules"), path.join(checkout, "node_modules"));
    else
      execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: checkout, stdio: "inherit" });
  }
  await buildService(checkout);
  return checkout;
}

/** As `npm run build` does it, but never installing anything: node_modules may be shared. */
async function buildService(checkout: string): Promise<void> {
  await build({
    absWorkingDir: checkout,
    entryPoints: ["server/main.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    sourcemap: true,
    outfile: "dist/server/main.js",
    logLevel: "error",
  });
}

/** The tables of the data are those of the older commit; a newer service brings its copy up to date by itself. */
export function buildData(checkout: string, data: string, size: string, seed: number): boolean {
  const harness = path.join(checkout, "bench/organization/build.ts");
  if (!existsSync(harness)) return false;
  const args = ["data", "--data", data, "--size", size, "--seed", String(seed)];
  execFileSync(process.execPath, ["--import", "tsx", path.join(checkout, "bench/run.ts"), ...args], {
    cwd: checkout,
    stdio: "inherit",
  });
  return true;
}
