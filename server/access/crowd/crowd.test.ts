// Everybody at once gets the same answer as one by one: the crowd's bits against `holds`, for types of every kind.
import { describe, expect, test } from "vitest";
import type { MatrixOperation } from "../../../contract/permissions.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { buildSnapshot, requireType } from "../../metadata/snapshot.ts";
import { builtInTypes } from "../../modules/index.ts";
import { testCaller } from "../../plan/column-fixture.ts";
import { holds, isPermitted, ruleOf } from "../rule.ts";
import { type Bits, Crowd, readersText, type Seeing, without } from "./crowd.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");
const about: RecordType = { ...leads, about: { field: "related_type", confidential: new Set(["lab/secrets"]) } };
const kinds: readonly RecordType[] = [
  leads,
  { ...leads, confidential: true },
  about,
  { ...about, about: { field: "related_type", confidential: new Set(["lab/secrets"]), needs: "import" } },
  requireType(snapshot, "core/comments"),
  requireType(snapshot, "masters/countries"),
];

const roles: readonly Record<string, readonly MatrixOperation[]>[] = [
  {},
  { "*": ["index"] },
  { "*": ["view", "import"] },
  { "*": ["export"] },
  { "*": ["index", "import"], "lab/secrets": [] },
  { "crm/leads": ["view"], "lab/secrets": ["index", "import"] },
];

/** More than two words of bits. Three of them are administrators, one of those an operator. */
const persons: readonly Seeing[] = Array.from({ length: 70 }, (_, index): Seeing => {
  const operations = roles[index % roles.length] ?? {};
  const isAdministrator = index % 30 === 4;
  const person = testCaller(isAdministrator ? {} : { operations });
  return { ...person, isOperator: index === 34, principals: new Set([1, 10 + (index % 3), 20 + (index % 5)]) };
});
const everyone = persons.map((_, index) => index);
const placesIn = (crowd: Crowd, bits: Bits): number[] => without(bits, crowd.nobody());

describe("a crowd", () => {
  const sets = [[], [1], [10], [10, 24], [11, 12, 20], [99]];
  const subjects = [[], ["crm/leads"], ["lab/secrets"], ["crm/leads", "lab/secrets"]];

  test.each(kinds)("sees what each of them sees, type %#", (type) => {
    const crowd = new Crowd(persons, type);
    const rule = ruleOf(type, "read");
    const told = new Set<string>();
    for (const readers of sets) {
      for (const about of subjects) {
        const set = { subjects: about, named: () => readers };
        const one = (person: Seeing) =>
          (isPermitted(person, type, "index") || isPermitted(person, type, "view")) &&
          holds(rule, person, type, person.principals, set);
        const expected = everyone.filter((index) => persons[index] && one(persons[index]));
        expect(placesIn(crowd, crowd.seeing({ readers }, about))).toEqual(expected);
        told.add(expected.join(" "));
      }
    }
    // What all share is there for whoever may look at the type; of the others the sets decide.
    expect(told.size > 1).toBe(type.scope !== "shared");
  });

  test("is compared by places", () => {
    const crowd = new Crowd(persons, { ...leads, confidential: true });
    const some = crowd.seeing({ readers: [11, 12] }, []);
    const others = crowd.seeing({ readers: [12] }, []);
    const lost = placesIn(crowd, some).filter((index) => index % 3 === 1);
    expect(without(some, others)).toEqual(lost);
    expect(lost.some((index) => index > 63)).toBe(true);
    expect(without(others, some)).toEqual([]);
  });

  test("takes sets with the same readers for the same", () => {
    expect(readersText({ readers: [1, 2] })).toBe(readersText({ readers: [1, 2] }));
    expect(readersText({ readers: [1, 2] })).not.toBe(readersText({ readers: [1] }));
    expect(readersText({ readers: [] })).toBe("");
  });
});
