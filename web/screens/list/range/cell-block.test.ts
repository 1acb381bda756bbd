import fc from "fast-check";
import { expect, test } from "vitest";
import { fillRoom, readBlock, writeBlock } from "./cell-block.ts";

test("what is copied is pasted as it was", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "b", " ", "\t", "\n", '"', ",", ";", "é") });
  const block = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 2, max: 4 }))
    .chain(([rows, columns]) =>
      fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
    );
  fc.assert(
    fc.property(block, (cells) => {
      expect(readBlock(`${writeBlock(cells)}\n`)).toEqual(cells);
    }),
  );
});

test("tab-separated text is read as spreadsheets write it", () => {
  expect(readBlock("a\tb\r\nc\td\r\n")).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  expect(readBlock('"two\nlines"\t5" pipe\n"say ""hi"""\t')).toEqual([
    ["two\nlines", '5" pipe'],
    ['say "hi"', ""],
  ]);
  expect(readBlock("one")).toEqual([["one"]]);
  expect(readBlock("one\n\nthree")).toEqual([["one"], [""], ["three"]]);
  expect(readBlock("")).toEqual([]);
});

test("commas make a table only of several lines that agree", () => {
  expect(readBlock('a,"b, c"\nd,e')).toEqual([
    ["a", "b, c"],
    ["d", "e"],
  ]);
  expect(readBlock("a;b\nc;d")).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  expect(readBlock("Byron, Ada\nHopper, Grace", false)).toEqual([["Byron, Ada"], ["Hopper, Grace"]]);
  expect(readBlock("Dear Ada, thank you")).toEqual([["Dear Ada, thank you"]]);
  expect(readBlock("Dear Ada, thank you\nYours")).toEqual([["Dear Ada, thank you"], ["Yours"]]);
});

test("a block fills a room that is a multiple of it", () => {
  expect(fillRoom([["x"]], 2, 2)).toEqual([
    ["x", "x"],
    ["x", "x"],
  ]);
  expect(fillRoom([["a", "b"]], 2, 3)).toEqual([
    ["a", "b"],
    ["a", "b"],
  ]);
  expect(fillRoom([["a"], ["b"], ["c"]], 2, 1)).toEqual([["a"], ["b"], ["c"]]);
});

test("what a whole sheet carries is read, however long it is", () => {
  const lines = 200_000;
  expect(readBlock("x\n".repeat(lines))).toHaveLength(lines);
  const long = `"${'""'.repeat(1_000_000)}"`;
  expect(readBlock(`a\t${long}`)[0]?.[1]).toHaveLength(1_000_000);
});
