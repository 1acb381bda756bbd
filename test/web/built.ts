// Makes sure that dist/web is the app of the present sources. Test files of one run build it once, whoever comes first.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const page = path.join(root, "dist/web/index.html");
const lock = path.join(root, "dist/.web-building");

function newest(place: string): number {
  const whole = path.join(root, place);
  const { mtimeMs } = statSync(whole);
  if (!statSync(whole).isDirectory()) return mtimeMs;
  return Math.max(0, ...readdirSync(whole).map((name) => newest(path.join(place, name))));
}

const isCurrent = () =>
  existsSync(page) &&
  statSync(page).mtimeMs >= Math.max(...["web", "client", "contract", "vite.config.ts"].map(newest));

export async function ensureBuilt(): Promise<void> {
  mkdirSync(path.dirname(lock), { recursive: true });
  while (!isCurrent()) {
    try {
      mkdirSync(lock);
    } catch {
      // Another worker builds; one that died a minute ago does not.
      if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > 60_000) rmSync(lock, { recursive: true });
      await new Promise((done) => setTimeout(done, 200));
      continue;
    }
    try {
      // In a process of its own: this one's NODE_ENV is "test", and would build React for development.
      await run(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"], {
        cwd: root,
        env: { ...process.env, NODE_ENV: "production" },
      });
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
    return;
  }
}
