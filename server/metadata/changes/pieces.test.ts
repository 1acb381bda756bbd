import { expect, test } from "vitest";
import { createPieces } from "./pieces.ts";

/** Goes through records of which `differs` says which are to be written, at `msOf` each. Gives each piece: how many were written, how long it took. */
function go(records: number, differs: (at: number) => boolean, msOf: (at: number) => number) {
  const pieces = createPieces();
  const done: { readonly written: number; readonly ms: number }[] = [];
  let looks = 0;
  for (let from = 0; from < records; looks += 1) {
    const those = Array.from({ length: Math.min(pieces.size, records - from) }, (_, at) => from + at).filter(differs);
    if (!pieces.allows(those.length)) continue;
    const { size } = pieces;
    const ms = those.reduce((sum, at) => sum + msOf(at), 0);
    pieces.done(those.length, those.length, ms);
    if (those.length > 0) done.push({ written: those.length, ms });
    from += size;
  }
  return { done, looks };
}
const longest = (all: readonly { readonly ms: number }[]): number => Math.max(...all.map(({ ms }) => ms));

test("after many that are quick and far between, a cold stretch where each is slow locks nobody for long", () => {
  const isCold = (at: number) => at > 400_000 && at < 404_000;
  const { done } = go(
    500_000,
    (at) => isCold(at) || at % 500 === 0,
    (at) => (isCold(at) ? 10 : 0.1),
  );
  expect(longest(done)).toBeLessThan(1_000);
  expect(done.reduce((sum, { written }) => sum + written, 0)).toBe(4_992);
});

test("where all are to be written and quick, pieces become as large as they may be", () => {
  const { done } = go(
    100_000,
    () => true,
    () => 0.1,
  );
  expect(done.at(-2)?.written).toBe(1_000);
  expect(done.length).toBeLessThan(120);
});

test("where all are slow, each piece takes about a quarter of a second", () => {
  const { done } = go(
    5_000,
    () => true,
    () => 10,
  );
  expect(longest(done)).toBeLessThanOrEqual(500);
  expect(done.length).toBeLessThan(250);
});

test("nothing to write is looked through in large pieces; a few here and there do not make them small", () => {
  expect(
    go(
      800_000,
      () => false,
      () => 0,
    ).looks,
  ).toBeLessThan(110);
  expect(
    go(
      800_000,
      (at) => at % 1_000 === 0,
      () => 0.2,
    ).looks,
  ).toBeLessThan(150);
});

test("a record that takes a minute is written by itself in the end, and the next ones are not left out", () => {
  const { done } = go(
    2_000,
    () => true,
    (at) => (at === 500 ? 60_000 : 1),
  );
  expect(done.reduce((sum, { written }) => sum + written, 0)).toBe(2_000);
});
