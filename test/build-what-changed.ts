// Takes what esbuild is to bundle for Node; writes the files that are not there yet as they should be. What is the same stays as it
// is: another run may be reading it at this moment.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type BuildOptions, build } from "esbuild";

export async function buildWhatChanged(options: BuildOptions): Promise<void> {
  const { outputFiles = [] } = await build({
    ...options,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outExtension: { ".js": ".mjs" },
    write: false,
  });
  for (const { path: file, contents } of outputFiles) {
    if (existsSync(file) && readFileSync(file).equals(contents)) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, contents);
    renameSync(draft, file);
  }
}
