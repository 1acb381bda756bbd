// What an API key is limited to, by record type of every kind, and the networks that it may be used from.
import { describe, expect, test } from "vitest";
import { type MatrixOperation, matrixOperations } from "../../../contract/permissions.ts";
import { buildSnapshot, requireType } from "../../metadata/snapshot.ts";
import { builtInTypes } from "../../modules/index.ts";
import {
  isWithinLimits,
  type KeyLimits,
  limitsAllow,
  limitsOf,
  mayKnowNames,
  printOf,
  reachOf,
  typesAllowed,
} from "./limits.ts";
import { isAmongNetworks, parseNetworks, readLimits, readNetworks } from "./read-key.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const [leads, companies, comments, jobs, countries, roles, stages] = [
  "crm/leads",
  "crm/companies",
  "core/comments",
  "core/jobs",
  "masters/countries",
  "access_controls/roles",
  "core/workflow_nodes",
].map((key) => requireType(snapshot, key)) as [Type, Type, Type, Type, Type, Type, Type];
type Type = ReturnType<typeof requireType>;

const limited = (kept: Record<string, MatrixOperation[]>): { readonly limits: KeyLimits } => ({
  limits: limitsOf(kept),
});
const onLeads = limited({ "crm/leads": ["view", "edit"] });
const free = { limits: undefined };

describe("the limits of a key", () => {
  test("allow what stands in the type's own entry, else in that for all, and without limits everything", () => {
    const allowed = (kept: Record<string, MatrixOperation[]>, key: string) =>
      matrixOperations.filter((operation) => limitsAllow(limited(kept), key, operation));
    expect(allowed({ "crm/leads": ["view"], "*": ["index"] }, "crm/leads")).toEqual(["view"]);
    expect(allowed({ "crm/leads": ["view"], "*": ["index"] }, "crm/companies")).toEqual(["index"]);
    expect(allowed({ "crm/leads": ["view"] }, "crm/companies")).toEqual([]);
    expect(limitsAllow(free, "crm/leads", "delete")).toBe(true);
  });

  test("reach all records of types that they name, those attached to them, jobs about them, and what stands beside", () => {
    const reached = (person: Parameters<typeof reachOf>[0]) =>
      [leads, companies, comments, jobs, countries, roles, stages].map((type) => reachOf(person, type));
    expect(reached(onLeads)).toEqual(["all", "none", "subjects", "about", "all", "none", "all"]);
    expect(reached(free)).toEqual(["all", "all", "all", "all", "all", "all", "all"]);
    expect(reachOf(limited({ "crm/leads": [] }), leads)).toBe("none");
    expect(reachOf(limited({ "core/jobs": ["index"] }), jobs)).toBe("all");
    expect(reachOf(onLeads, { ...leads, key: "crm/shared", scope: "shared", isSetup: false })).toBe("all");
    // Only what ships is known to be no secret: a type that somebody adds to such a module is like any other.
    expect(reachOf(onLeads, { ...stages, isSetup: false, origin: "custom" } as never)).toBe("none");
  });

  test("leave of other types what all may read, what the record decides, and the jobs to be looked at", () => {
    const left = (type: Type, isOfTheRecord: boolean) =>
      (["index", "view", "edit"] as const).filter((operation) =>
        isWithinLimits(onLeads, type, operation, { reads: operation !== "edit", isOfTheRecord }),
      );
    expect(left(leads, false)).toEqual(["view", "edit"]);
    expect(left(companies, true)).toEqual([]);
    expect(left(jobs, true)).toEqual(["view"]);
    expect(left(countries, false)).toEqual(["index", "view"]);
    expect(left(comments, true)).toEqual(["index", "view", "edit"]);
    expect(left(comments, false)).toEqual([]);
    expect(isWithinLimits(free, companies, "delete", { reads: false, isOfTheRecord: false })).toBe(true);
  });

  test("are told as what holds for the rest, and which types differ from it", () => {
    const kept = { "*": ["index"], "crm/b": ["edit"], "crm/a": [], "crm/c": ["view"] } as const;
    const person = limited(Object.fromEntries(Object.entries(kept).map(([key, all]) => [key, [...all]])));
    expect(typesAllowed(person, ["view", "index"])).toEqual({ rest: true, except: ["crm/a", "crm/b"] });
    expect(typesAllowed(person, ["edit"])).toEqual({ rest: false, except: ["crm/b"] });
    expect(typesAllowed(free, ["edit"])).toEqual({ rest: true, except: [] });
  });

  test("tell the names of users, groups and roles where something may be done with those", () => {
    const told = (person: typeof free | typeof onLeads) =>
      ["user", "group", "role", "owner"].filter((kind) => mayKnowNames(person, kind));
    expect(told(free)).toEqual(["user", "group", "role", "owner"]);
    expect(told(onLeads)).toEqual(["owner"]);
    expect(told(limited({ "access_controls/groups": ["view"], "access_controls/roles": [] }))).toEqual([
      "group",
      "owner",
    ]);
    expect(told(limited({ "*": ["index"] }))).toEqual(["user", "group", "role", "owner"]);
  });

  test("have a print that is the same for the same limits, however they are written", () => {
    const print = (kept: Record<string, MatrixOperation[]>) => printOf(limitsOf(kept));
    const one = print({ "crm/a": ["view", "edit"], "crm/b": ["index"] });
    expect(print({ "crm/b": ["index"], "crm/a": ["edit", "view"] })).toBe(one);
    const others = [
      { "crm/a": ["view"], "crm/b": ["index"] },
      { "crm/a": ["view", "edit"] },
      { "crm/b": ["view", "edit"], "crm/a": ["index"] },
    ] satisfies Record<string, MatrixOperation[]>[];
    expect(new Set([one, ...others.map(print)]).size).toBe(4);
  });

  test("that are kept and cannot be read open nothing", () => {
    expect(readLimits(null)).toBeUndefined();
    expect(readLimits('{"crm/leads":["view"]}')).toEqual(new Map([["crm/leads", new Set(["view"])]]));
    expect(() => readLimits('{"crm/leads":["everything"]}')).toThrow();
    expect(() => readLimits("[]")).toThrow();
  });
});

describe("the networks of a key", () => {
  test.each<[string, boolean]>([
    ["10.0.0.0/8", true],
    ["192.0.2.7", true],
    ["2001:db8::/32", true],
    ["::1", true],
    ["::ffff:192.0.2.7", true],
    ["0.0.0.0/0", true],
    ["10.0.0.0/33", false],
    ["2001:db8::/129", false],
    ["10.0.0.0/", false],
    ["10.0.0.0/8/8", false],
    ["10.0.0.0/-1", false],
    ["::ffff:192.0.2.0/120", false],
    ["fe80::1%eth0", false],
    ["300.0.0.1", false],
    ["example.com", false],
  ])("%s: %s", (text, isOne) => {
    expect(parseNetworks(text)).toEqual(isOne ? { networks: [text] } : { wrong: text });
  });

  test("are separated by anything, written one way, said once, and a hundred at most", () => {
    expect(parseNetworks("10.0.0.0/8, 2001:DB8::/32;\n10.0.0.0/8")).toEqual({
      networks: ["10.0.0.0/8", "2001:db8::/32"],
    });
    expect(parseNetworks(" ")).toEqual({ networks: [] });
    const many = (count: number) => Array.from({ length: count }, (_, index) => `10.0.0.${index}`).join(" ");
    expect(parseNetworks(many(100))).toMatchObject({ networks: { length: 100 } });
    expect(parseNetworks(many(101))).toEqual({ most: 100 });
    expect([readNetworks(null), readNetworks(""), readNetworks("10.0.0.0/8 ::1")]).toEqual([
      undefined,
      undefined,
      ["10.0.0.0/8", "::1"],
    ]);
  });

  test("hold the addresses in them, whichever way these are written, and no others", () => {
    const networks = ["10.1.0.0/16", "192.0.2.7", "2001:db8::/32", "::ffff:198.51.100.4"];
    const addresses = {
      "10.1.255.255": true,
      "10.2.0.0": false,
      "::ffff:10.1.2.3": true,
      "::FFFF:10.2.2.3": false,
      "192.0.2.7": true,
      "192.0.2.8": false,
      "2001:db8:1::1": true,
      "2001:db8:1::1%eth0": true,
      "2001:db9::1": false,
      "198.51.100.4": true,
      nonsense: false,
      "": false,
    };
    expect(Object.keys(addresses).map((address) => isAmongNetworks(networks, address))).toEqual(
      Object.values(addresses),
    );
    expect(isAmongNetworks([], "10.1.2.3")).toBe(false);
  });
});
