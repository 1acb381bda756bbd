import fc from "fast-check";
import { expect, test } from "vitest";
import { linesOf } from "./lines.ts";

const part = (key: string, count: number, isFolded = false) => ({ key, count, isFolded });

test("a list without sections has a line for each row", () => {
  const lines = linesOf([part("", 3)], false);
  expect(lines.count).toBe(3);
  expect(lines.at(2)).toMatchObject({ kind: "row", row: 2 });
  expect([lines.at(3), lines.at(-1)]).toEqual([undefined, undefined]);
  expect([lines.roomBelow(1), lines.headsBefore(2)]).toEqual([2, 0]);
});

test("a folded section has its head alone", () => {
  const lines = linesOf([part("new", 2), part("lost", 5, true), part("won", 1)], true);
  const told = Array.from({ length: lines.count }, (_, index) => {
    const line = lines.at(index);
    return line?.kind === "row" ? `${line.part.key} ${line.row}` : line?.part.key;
  });
  expect(told).toEqual(["new", "new 0", "new 1", "lost", "won", "won 0"]);
  expect([0, 1, 3, 4, 5].map(lines.headsBefore)).toEqual([0, 1, 1, 2, 3]);
  expect([0, 1, 5].map(lines.roomBelow)).toEqual([0, 2, 1]);
});

test("every line is what walking the sections one by one tells", () => {
  const parts = fc.array(fc.tuple(fc.nat(4), fc.boolean()), { maxLength: 12 });
  fc.assert(
    fc.property(parts, fc.boolean(), (drawn, hasHeads) => {
      const all = drawn.map(([count, isFolded], index) => part(String(index), count, hasHeads && isFolded));
      const lines = linesOf(all, hasHeads);
      const walked = all.flatMap((one) => [
        ...(hasHeads ? [[one.key, -1]] : []),
        ...(one.isFolded ? [] : Array.from({ length: one.count }, (_, row) => [one.key, row])),
      ]);
      expect(lines.count).toBe(walked.length);
      walked.forEach(([key, row], index) => {
        const line = lines.at(index);
        expect([line?.part.key, line?.kind === "row" ? line.row : -1]).toEqual([key, row]);
        expect(line && lines.lineOf(line.part, line.kind === "row" ? line.row : -1)).toBe(index);
        expect(lines.headsBefore(index)).toBe(walked.slice(0, index).filter(([, at]) => at === -1).length);
      });
    }),
  );
});
