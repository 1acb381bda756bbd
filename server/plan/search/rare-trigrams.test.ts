import fc from "fast-check";
import { expect, test } from "vitest";
import { rareTrigrams as choose, type TrigramShares } from "./rare-trigrams.ts";

const shares = (known: Readonly<Record<string, number>>, organization = 1) => ({
  of: (trigram: string) => known[trigram] ?? 0.1,
  organization,
  rows: 1_000,
});

const nowhereElse = { isElsewhere: () => false, isNarrowed: false };
const rareTrigrams = (words: readonly string[], of: TrigramShares) => choose(words, of, nowhereElse);

test.each([
  ["the rarest of each word is enough for two", ["stone", "river"], { ton: 0.001, ver: 0.001 }, [["ton"], ["ver"]]],
  ["a common word beside a rare one is not looked up at all", ["maria", "quixote"], { uix: 1e-5 }, [[], ["uix"]]],
  ["one word alone is narrowed down by more of it", ["stone"], { ton: 0.01, sto: 0.02 }, [["ton", "sto", "one"]]],
  ["a syllable that two words share is looked up once", ["stone", "ston"], { ton: 1e-5 }, [["ton"], []]],
  ["upper case is looked up as it is sent", ["STone"], { ton: 1e-5 }, [["Ton"]]],
  [
    "what folding might change is not cut out of a word",
    ["größe", "zoë", "stone"],
    { ton: 1e-5 },
    [undefined, undefined, ["ton"]],
  ],
  ["signs part words", ["a.bc-def"], {}, [["def"]]],
])("%s", (_, words, known, expected) => {
  expect(rareTrigrams(words, shares(known))?.of).toEqual(expected);
});

test("the organization is looked for in the index where it is a small part of the table", () => {
  const isWithin = (organization: number) => rareTrigrams(["stone"], shares({}, organization))?.isWithin;
  expect([1, 0.9, 0.01, 0.0001].map(isWithin)).toEqual([false, true, true, true]);
  expect(rareTrigrams(["stone", "river"], shares({ ton: 1e-6, ver: 1e-6 }, 0.9))?.isWithin).toBe(false);
});

test("a word that may stand elsewhere is looked up whole, and then the organization is, too", () => {
  const elsewhere = { isElsewhere: (word: number) => word === 0, isNarrowed: true };
  const rare = choose(["4915112345", "stone"], shares({ ton: 1e-5 }), elsewhere);
  expect([rare?.of, rare?.isWithin]).toEqual([[undefined, ["ton"]], true]);
  expect(choose(["stone"], shares({}), { isElsewhere: () => true, isNarrowed: true })).toBeUndefined();
});

test("words without a trigram are left as they are", () => {
  expect(rareTrigrams(["ab", "漢字漢字", "--"], shares({}))).toBeUndefined();
});

test("whatever is looked up is in its word, and rarer than what is left out of it", () => {
  const word = fc.stringMatching(/^[a-d]{1,12}$/);
  const share = fc.dictionary(fc.stringMatching(/^[a-d]{3}$/), fc.double({ min: 1e-6, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), share, (words, known) => {
      const { of: shareOf } = shares(known);
      const rare = rareTrigrams(words, shares(known));
      expect(rare === undefined).toBe(words.every((one) => one.length < 3));
      if (!rare) return;
      const all = rare.of.flatMap((of) => of ?? []);
      expect(all.length).toBeGreaterThan(0);
      expect(new Set(all).size).toBe(all.length);
      rare.of.forEach((of, index) => {
        for (const one of of ?? []) expect(words[index]).toContain(one);
      });
      const listed = all.reduce((sum, one) => sum + shareOf(one), 0);
      expect(rare.listed).toBeCloseTo(1_000 * listed);
      expect(rare.found).toBeLessThanOrEqual(1_000 * Math.min(...all.map(shareOf)));
    }),
  );
});
