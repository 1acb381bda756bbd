// Takes the name of a script beside it; gives the file to start Node with: the script and what it imports of ours in one
// piece. To translate each file at each start would cost more than what is started.
import { renameSync } from "node:fs";
import path from "node:path";
import { buildSync } from "esbuild";
import { root } from "../../server/lib/root.ts";

const made = new Map<string, string>();

export function compiled(script: string): string {
  const known = made.get(script);
  if (known !== undefined) return known;
  // Inside the checkout, from where the packages are found.
  const file = path.join(root, "dist", "test", script.replace(/\.ts$/, ".mjs"));
  const draft = `${file}.${process.pid}`;
  buildSync({
    entryPoints: [path.join(root, "test", "engine", script)],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    outfile: draft,
  });
  // Other workers may be starting the same one at this moment.
  renameSync(draft, file);
  made.set(script, file);
  return file;
}
