// Who may run the engine, and where: root and ordinary users, private folders, packages installed without scripts.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { findInstalledBinaries } from "../../server/database/embedded/binaries.ts";
import {
  isOpenToAll,
  isRoot,
  lastAck,
  mainProcessOf,
  NOBODY,
  onLinux,
  query,
  runningEngine,
  startService,
  temporaryFolder,
} from "./lab.ts";

const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** A copy of the installed programs, as npm leaves it when it runs no install scripts. */
function installWithoutLinks(folder: string): string {
  const native = path.join(folder, "native");
  cpSync(findInstalledBinaries(), native, { recursive: true, verbatimSymlinks: true });
  for (const name of readdirSync(path.join(native, "lib"))) {
    const file = path.join(native, "lib", name);
    if (lstatSync(file).isSymbolicLink()) rmSync(file);
  }
  return native;
}

const enginesIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.startsWith("dossier-engine-"));

test("makes the links that an installation without scripts left out", async () => {
  const packages = temporaryFolder();
  chmodSync(packages, 0o755);
  const native = installWithoutLinks(packages);
  const engine = await runningEngine(temporaryFolder(), { native });
  expect(await query(engine, "SELECT 'a' < 'B' COLLATE \"und-x-icu\" AS sorted")).toEqual([{ sorted: true }]);
  expect(readdirSync(path.join(native, "lib")).some((name) => /^libpq\.(so|5\.dylib|dylib)/.test(name))).toBe(true);
});

test.skipIf(isRoot && !isOpenToAll(checkout))(
  "runs as an ordinary user below a folder of its own, with a package it may not write to",
  async () => {
    const home = temporaryFolder();
    const packages = temporaryFolder();
    const native = installWithoutLinks(packages);
    chmodSync(home, 0o700);
    chmodSync(packages, 0o755);
    chmodSync(path.join(native, "lib"), 0o555);
    onTestFinished(() => chmodSync(path.join(native, "lib"), 0o755));
    if (isRoot) chownSync(home, NOBODY.uid, NOBODY.gid);
    const dataDir = path.join(home, "data");
    for (const _ of ["first start", "second start"]) {
      const service = startService(dataDir, { native, ...(isRoot ? { account: NOBODY } : {}) });
      await service.next("ack");
      await service.end("SIGTERM");
      await lastAck(service, 0);
    }
    expect(enginesIn(dataDir)).toHaveLength(1);
    expect(statSync(path.join(dataDir, "postgres")).uid).toBe(isRoot ? NOBODY.uid : process.getuid?.());
  },
);

test.skipIf(!isRoot)("runs for root when data and programs lie below a folder that only root may enter", async () => {
  const closed = temporaryFolder();
  chmodSync(closed, 0o700);
  const before = enginesIn("/var/lib");
  onTestFinished(() => {
    for (const name of enginesIn("/var/lib")) {
      if (!before.includes(name)) rmSync(path.join("/var/lib", name), { recursive: true });
    }
  });
  const native = installWithoutLinks(closed);
  const dataDir = path.join(closed, "data");
  const engine = await runningEngine(dataDir, { native });
  expect(await query(engine, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await engine.stop();
  expect(statSync(path.join(dataDir, "postgres")).uid).not.toBe(0);
  // A copy that someone else could have changed is not trusted but made again.
  const copy = path.join("/var/lib", enginesIn("/var/lib")[0] ?? "");
  chmodSync(path.join(copy, "bin", "postgres"), 0o777);
  await (await runningEngine(dataDir, { native })).stop();
  expect(statSync(path.join(copy, "bin", "postgres")).mode & 0o777).toBe(0o755);
});

test.skipIf(!isRoot)(
  "runs for root as the owner of existing data, and takes data over that a restore left to root",
  async () => {
    const dataDir = temporaryFolder();
    const daemon = { uid: 1, gid: 1 };
    mkdirSync(path.join(dataDir, "postgres"));
    chownSync(path.join(dataDir, "postgres"), daemon.uid, daemon.gid);
    await (await runningEngine(dataDir)).stop();
    expect(statSync(path.join(dataDir, "postgres", "PG_VERSION")).uid).toBe(daemon.uid);
    const restored = temporaryFolder();
    cpSync(dataDir, restored, { recursive: true });
    chmodSync(path.join(restored, "postgres"), 0o755);
    expect(statSync(path.join(restored, "postgres", "PG_VERSION")).uid).toBe(0);
    const engine = await runningEngine(restored);
    expect(await query(engine, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(statSync(path.join(restored, "postgres", "PG_VERSION")).uid).not.toBe(0);
  },
);

test.skipIf(!isRoot || !onLinux)(
  "runs for root as an account that nothing else runs as, takes data of nobody over, and cannot be read by others",
  async () => {
    const dataDir = temporaryFolder();
    await (await runningEngine(dataDir)).stop();
    execFileSync("chown", ["-R", `${NOBODY.uid}:${NOBODY.gid}`, path.join(dataDir, "postgres")]);
    const engine = await runningEngine(dataDir);
    expect(await query(engine, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    const server = mainProcessOf(dataDir);
    const { uid } = statSync(`/proc/${server}`);
    expect([0, NOBODY.uid, 1, 2]).not.toContain(uid);
    expect(statSync(path.join(dataDir, "postgres", "PG_VERSION")).uid).toBe(uid);
    for (const file of ["environ", "maps", "mem"]) {
      const read = spawnSync("/bin/cat", [`/proc/${server}/${file}`], { ...NOBODY, encoding: "utf8" });
      expect([file, read.status, read.stdout]).toEqual([file, 1, ""]);
    }
    const others = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && statSync(`/proc/${name}`, { throwIfNoEntry: false })?.uid === uid)
      .map((name) => spawnSync("cat", [`/proc/${name}/cmdline`], { encoding: "utf8" }).stdout)
      .filter((command) => command !== "" && !/postgres|dossier-lifeline|sleep|initdb/.test(command));
    expect(others).toEqual([]);
  },
);

test("says what to do where there are no programs for the platform", async () => {
  const native = path.join(temporaryFolder(), "nothing");
  expect(existsSync(native)).toBe(false);
  await expect(runningEngine(temporaryFolder(), { native })).rejects.toThrow("set DATABASE_URL");
});
