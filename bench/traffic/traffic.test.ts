import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MOST_SCRIPTS } from "../lean/pgbench.ts";
import { leadColumns, makeLeads } from "../organization/lead-rows.ts";
import { callerNames } from "../organization/people.ts";
import { rowsOf, type Universe } from "../organization/universe.ts";
import { statuses } from "../organization/vocabulary.ts";
import { groupTraffic } from "./groups.ts";
import { listTraffic, searchTraffic, type Traffic } from "./lists.ts";
import { createRandom } from "./random.ts";
import { writeTraffic } from "./writes.ts";

const universe: Universe = {
  version: 1,
  rows: 1_000_000,
  seed: 1,
  organizationId: "1",
  readers: {
    administrator: { readable: 1_000_000 },
    half: { readable: 500_000, aclIds: Array.from({ length: 500 }, (_, index) => String(index + 1)) },
    few: { readable: 1_000, aclIds: ["7", "8"] },
  },
  statuses: { new: 380_000, contacted: 240_000, qualified: 120_000, converted: 140_000, unqualified: 120_000 },
};
const allTraffic: readonly Traffic[] = callerNames.flatMap((caller) =>
  [listTraffic, searchTraffic, groupTraffic].flatMap((traffic) => traffic(universe, caller)),
);
const asked = ({ next }: Pick<Traffic, "next">, seed: number, count: number) => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => next(random));
};
const found = (caller: "administrator" | "few", name: string): Traffic => {
  const one = allTraffic.find((traffic) => traffic.caller === caller && traffic.name === name);
  if (!one) throw new Error(`there is no ${name}`);
  return one;
};
const pagesOf = (traffic: Traffic) =>
  asked(traffic, 3, 20_000).map(({ path }) => Number(/&page=(\d+)/.exec(path)?.[1] ?? 1));

describe("traffic", () => {
  test("is the same for the same seed", () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(...allTraffic), (seed, traffic) => {
        expect(asked(traffic, seed, 10)).toEqual(asked(traffic, seed, 10));
      }),
    );
  });

  test("of writes is the same for the same seed but for new email addresses, of which no two are alike", () => {
    const bodies = () => asked({ next: writeTraffic(universe) }, 5, 20).map(({ body = "" }) => body);
    const [one, other] = [bodies(), bodies()];
    const email = /[\w.]+@new\.example/g;
    const without = (texts: readonly string[]) => texts.map((text) => text.replace(email, ""));
    expect(without(one)).toEqual(without(other));
    const added = [...one, ...other].flatMap((text) => text.match(email) ?? []);
    expect(added.length).toBeGreaterThan(1);
    expect(new Set(added).size).toBe(added.length);
  });

  test("asks for something else again and again, but where its name says otherwise", () => {
    for (const traffic of allTraffic) {
      const different = new Set(asked(traffic, 1, 300).map(({ path }) => path)).size;
      if (traffic.name.includes("again and again")) expect(different, traffic.name).toBe(1);
      else expect(different, `${traffic.name}, ${traffic.caller}`).toBeGreaterThan(15);
    }
  });

  test("goes to every near page alike, and to none past the end", () => {
    const pages = pagesOf(found("administrator", "pages 1–200"));
    expect(Math.min(...pages)).toBe(1);
    expect(Math.max(...pages)).toBe(200);
    expect(pages.reduce((sum, page) => sum + page, 0) / pages.length).toBeCloseTo(100.5, -1);
    expect(Math.max(...pagesOf(found("few", "pages 1–200")))).toBe(20);
    expect(Math.max(...pagesOf(found("administrator", "far pages, random")))).toBeGreaterThan(19_000);
  });

  test("filters by each status as often as leads have it", () => {
    const paths = asked(found("administrator", "status filters × pages"), 9, 20_000).map(({ path }) =>
      decodeURIComponent(path),
    );
    for (const status of statuses) {
      const share = paths.filter((path) => path.includes(`"${status}"`)).length / paths.length;
      expect(share).toBeCloseTo((universe.statuses[status] ?? 0) / universe.rows, 1);
    }
  });

  test("has lean statements that pgbench can take, for the caller's own rows", () => {
    for (const { scripts, caller, name } of allTraffic) {
      expect(scripts.length, name).toBeGreaterThan(0);
      expect(scripts.length, name).toBeLessThanOrEqual(MOST_SCRIPTS);
      for (const { text, weight } of scripts) {
        expect(Number.isInteger(weight) && weight > 0).toBe(true);
        expect(text).toContain("organization_id = 1");
        expect(text.includes("acl_id")).toBe(name.startsWith("chart") ? caller !== "administrator" : true);
        if (caller !== "administrator") expect(text).toMatch(/r\.acl_id in \(/);
      }
    }
  });

  test("of writes is four edits to one add", () => {
    const paths = asked({ next: writeTraffic(universe) }, 2, 10_000).map(({ path }) => path);
    expect(paths.filter((path) => path.endsWith("/edit.json")).length / paths.length).toBeCloseTo(0.8, 1);
  });
});

describe("leads", () => {
  const owners = Array.from({ length: 200 }, (_, index) => ({
    id: String(index + 1),
    aclIds: { open: String(2 * index), closed: String(2 * index + 1) },
  }));
  const source = { seed: 4, rows: 20_000, organizationId: "1", owners, stages: new Map() };
  const leads = [...makeLeads(source)];
  const column = (name: string) => leads.map(({ columns }) => columns[leadColumns.indexOf(name)] ?? null);

  test("are the same for the same seed, with a value for every column", () => {
    expect([...makeLeads({ ...source, rows: 50 })]).toEqual([...makeLeads({ ...source, rows: 50 })]);
    expect(leads.filter(({ columns }) => columns.length !== leadColumns.length)).toEqual([]);
  });

  test("hold nothing that COPY would read otherwise", () => {
    expect(leads.filter(({ columns }) => /[\t\n\\]/.test(columns.join()))).toEqual([]);
  });

  test("are skewed: few owners and cities have most of them, and recent ones are new", () => {
    const counts = (values: readonly unknown[]) => {
      const byValue = new Map<unknown, number>();
      for (const value of values) byValue.set(value, (byValue.get(value) ?? 0) + 1);
      return [...byValue.values()].toSorted((a, b) => b - a);
    };
    const cities = counts(column("city"));
    expect(cities.slice(0, 36).reduce((a, b) => a + b, 0) / leads.length).toBeGreaterThan(0.5);
    const owned = counts(column("owned_by"));
    expect((owned[0] ?? 0) / (owned.at(-1) ?? 1)).toBeGreaterThan(2);
    const isNew = column("status").map((status) => status === "new");
    const share = (some: readonly boolean[]) => some.filter(Boolean).length / some.length;
    expect(share(isNew.slice(-2_000))).toBeCloseTo(0.6, 1);
    expect(share(isNew.slice(0, 18_000))).toBeCloseTo(0.28, 1);
  });
});

test("sizes are read as people write them", () => {
  expect(["300", "10k", "1m", "10M"].map(rowsOf)).toEqual([300, 10_000, 1_000_000, 10_000_000]);
  expect(() => rowsOf("much")).toThrow('"much" is not a size');
});
