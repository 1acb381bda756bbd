// What a release is made of, checked or made: `npm run release` says what is missing, `npm run release -- fixture` writes the fixture that later
// versions are tested with.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { bin, prepare, root } from "./prepare.mjs";

/** @param {string} file */
const read = (file) => readFileSync(path.join(root, file), "utf8");

/** @type {string} */
const version = JSON.parse(read("package.json")).version;
const fixture = `test/upgrade/fixtures/${version}.tar.gz`;

/** What is missing, in words. */
function missing() {
  const found = [];
  if (
    !read("CHANGELOG.md")
      .split("\n")
      .some((line) => `${line} `.startsWith(`## ${version} `))
  )
    found.push(`CHANGELOG.md has no section "## ${version}". Rename "Unreleased" to it.`);
  if (JSON.parse(read("package-lock.json")).version !== version)
    found.push("package-lock.json has another version. Run npm install --package-lock-only.");
  for (const file of ["compose.yaml", "deploy/kubernetes/dossier.yaml"])
    if (!read(file).includes(`dossier:${version}`)) found.push(`${file} does not name the image dossier:${version}.`);
  if (!existsSync(path.join(root, fixture))) found.push(`${fixture} is missing. Run npm run release -- fixture.`);
  return found;
}

const [word, ...more] = process.argv.slice(2);
if (more.length > 0 || (word !== undefined && word !== "fixture")) {
  console.error(
    "Usage: npm run release            check that everything for a release is there\n       npm run release -- fixture write the fixture of this version",
  );
  process.exit(2);
}
if (word === "fixture") {
  await prepare({ server: true });
  const { status } = spawnSync(bin("tsx"), ["test/upgrade/make-fixture.ts"], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(1);
  console.log(`${fixture} is written.`);
} else {
  const found = missing();
  for (const sentence of found) console.error(sentence);
  if (found.length > 0) process.exit(1);
  console.log(`Everything for ${version} is there. Run the suite, then npm pack.`);
}
