import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Permission } from "../../contract/permissions.ts";
import { randomFrom } from "../../demo/random.ts";
import { createAclDirectory } from "../../server/access/acl-directory.ts";
import { refreshAcl } from "../../server/access/acl-sets.ts";
import { acrossRoles, effectivePermission } from "../../server/access/permission.ts";
import { instant, secondsFromNow } from "../../server/lib/instant.ts";
import type { MetadataStore } from "../../server/metadata/store.ts";
import { prepareDatabase } from "../../server/prepare.ts";
import { createListSources } from "../../server/records/list/run-list.ts";
import { type TestDatabase, testDatabase } from "../database.ts";
import { runs } from "../runs.ts";
import { buildWorld, restamp, type Stage } from "./build-world.ts";
import { changeWorld } from "./change-world.ts";
import { compareAll } from "./compare.ts";
import { samples, secrets } from "./lab-types.ts";
import { elementPermission } from "./naive-access.ts";
import type { Comparison } from "./question.ts";

/** A seed that is always tried, and a fresh one for every run, compared once it has changed; ACCESS_SEED repeats a run that failed. */
const fresh = process.env.ACCESS_SEED ?? Date.now().toString(36);
const worlds = [
  { name: "a fixed seed", seed: "one", isFixed: true },
  ...Array.from({ length: runs(1) }, (_, index) =>
    index === 0
      ? { name: "a fresh seed", seed: fresh, isFixed: false }
      : { name: `fresh seed ${index + 1}`, seed: `${fresh} ${index}`, isFixed: false },
  ),
];
const ROUNDS = 1;
const CHANGES_PER_ROUND = 10;

let database: TestDatabase;
let metadata: MetadataStore;

beforeAll(async () => {
  database = await testDatabase("prepared");
  metadata = await prepareDatabase(database.db);
  await metadata.save({ definition: samples });
  await metadata.save({ definition: secrets });
});
afterAll(() => database.close());

// Only the calendar is the test's: a share runs out when the test says so, and everything else keeps its own time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("what a caller may do is what the access model, written again naively, says", () => {
  test.each(worlds)("in a world grown from $name and changed at random", async ({ seed, isFixed }) => {
    const { db } = database;
    const snapshot = metadata.current();
    const random = randomFrom(seed);
    const stageOn = (on: Stage["db"]): Stage => ({ db: on, snapshot, random, instantIn: secondsFromNow });
    const directory = createAclDirectory(db);
    const told: string[] = [];
    const lists = createListSources(db, directory);
    const seen: Comparison = { rounds: 0, cases: 0, allowed: 0, differences: [] };

    const world = await db.transaction((transaction) => buildWorld(stageOn(transaction)));
    const compare = async () => {
      await compareAll({ db, snapshot, directory, lists, world, now: instant() }, seen);
      seen.rounds += 1;
      const [first] = seen.differences;
      const trail = `seed ${seed}, after: ${told.join("; ") || "nothing"}`;
      expect(first, `${trail}\n${seen.differences.slice(0, 20).join("\n")}`).toBeUndefined();
    };

    // Each comparison asks tens of thousands of questions, and the same ones of a world that has just begun as of one that changed.
    if (isFixed) await compare();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let count = 0; count < CHANGES_PER_ROUND; count += 1) {
        await db.transaction(async (transaction) => {
          const organization = random.pick(world.organizations);
          told.push(await changeWorld(stageOn(transaction), world, organization));
          await refreshAcl(transaction, snapshot, organization.id);
          await restamp(stageOn(transaction), organization);
        });
      }
      await compare();
      const seconds = random.pick([1, 59, 60, 3600, 86_400]);
      vi.setSystemTime(Date.now() + seconds * 1000);
      told.push(`${seconds} s passed`);
      for (const { id } of world.organizations) {
        await db.transaction((transaction) => refreshAcl(transaction, snapshot, id, { expiredOnly: true }));
      }
      await compare();
    }
    expect(seen.cases, `seed ${seed}`).toBeGreaterThan(10_000);
    // Neither all nor nothing: both answers are put to the test.
    expect(seen.allowed, `seed ${seed}`).toBeGreaterThan(1_000);
    expect(seen.cases - seen.allowed, `seed ${seed}`).toBeGreaterThan(1_000);
  });
});

describe("form-element permissions", () => {
  const all: readonly Permission[] = [0, 1, 2, 4];
  const settled = [1, 2, 4] as const;

  test("combine to the most restrictive level in every combination there is", () => {
    const wrong: string[] = [];
    for (const parent of settled)
      for (const declared of all)
        for (const roles of settled)
          for (const form of all)
            for (const operation of ["view", "add", "edit"] as const) {
              const levels = { parent, declared, roles, form, operation };
              if (effectivePermission(levels) !== elementPermission(levels)) wrong.push(JSON.stringify(levels));
            }
    expect(wrong).toEqual([]);
  });

  test.each<{ overrides: (Permission | undefined)[]; widest: Permission }>([
    { overrides: [], widest: 2 },
    { overrides: [1], widest: 1 },
    { overrides: [1, 4], widest: 4 },
    { overrides: [4, 1, 1], widest: 4 },
    { overrides: [1, 0], widest: 2 },
    { overrides: [4, undefined], widest: 2 },
    { overrides: [2, 1], widest: 2 },
  ])("roles that say $overrides leave $widest", ({ overrides, widest }) => {
    expect(acrossRoles(overrides)).toBe(widest);
  });
});
