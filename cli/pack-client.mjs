// `npm run pack:client`: builds the package @dossier/client from client/ and what it uses of contract/, and writes it as one .tgz into
// the folder that is named (else the root). It depends on nothing: the contract is built in.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { bin, prepare, root } from "./prepare.mjs";

/**
 * @param {string} program
 * @param {string[]} args
 * @returns {string} what it said
 */
function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${error?.message ?? stdout + stderr}`);
  return stdout;
}

/**
 * Builds the package into a folder of its own and packs it.
 * @param {string} target where the .tgz goes
 * @returns {string} the file
 */
export function packClient(target = root) {
  const folder = path.join(root, "dist", "client");
  const source = path.join(root, "client");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const outfile = path.join(folder, "index.js");
  run(
    bin("esbuild"),
    "client/index.ts",
    "--bundle",
    "--format=esm",
    "--platform=neutral",
    "--target=es2022",
    "--legal-comments=none",
    `--outfile=${outfile}`,
  );
  const types = path.join(folder, "types");
  run(bin("tsc"), "-p", "client", "--outDir", types);
  for (const entry of readdirSync(types, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    // Imports of files that are not there as sources any more.
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/("\.[^"\n]*)\.ts"/g, '$1.js"'));
  }
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const { name, ...manifest } = JSON.parse(readFileSync(path.join(source, "package.json"), "utf8"));
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify({ name, version, ...manifest }, null, 2)}\n`);
  copyFileSync(path.join(source, "README.md"), path.join(folder, "README.md"));
  copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  const [packed] = JSON.parse(run("npm", "pack", "./dist/client", "--json", "--pack-destination", target));
  return path.join(target, path.basename(packed.filename));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await prepare();
  console.log(packClient(path.resolve(process.argv[2] ?? root)));
}
