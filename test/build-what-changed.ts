// Takes what esbuild is to bundle for Node; writes the files that are not there yet as they should be. What is the same stays as it
// is: another run may be reading it at this moment. What has no source any more goes, or whoever still imports it would not notice.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type BuildOptions, build } from "esbuild";

export async function buildWhatChanged(options: BuildOptions & { readonly outdir: string }): Promise<void> {
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
  const wanted = new Set(outputFiles.map(({ path: file }) => file));
  for (const name of readdirSync(options.outdir, { recursive: true, encoding: "utf8" })) {
    const file = path.join(options.outdir, name);
    if (/\.mjs(?:\.map)?$/u.test(name) && !wanted.has(file)) rmSync(file, { force: true });
  }
}
