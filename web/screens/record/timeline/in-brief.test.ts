// Which values the activity prints, and how much of them.
import { describe, expect, test } from "vitest";
import { inBrief, isDocument } from "./in-brief.ts";

const long = "x".repeat(300);

describe("a value in the activity", () => {
  test("is cut where it is long", () => {
    expect(inBrief(null)).toBeNull();
    expect(inBrief("short")).toBe("short");
    expect(inBrief(long)).toBe(`${"x".repeat(240)}…`);
  });

  test("is a document if it is long and JSON, not if it only starts with a bracket", () => {
    expect(isDocument(JSON.stringify({ sections: [long] }))).toBe(true);
    expect(isDocument(JSON.stringify([{ name: long }], null, 2))).toBe(true);
    expect(isDocument(JSON.stringify({ name: "short" }))).toBe(false);
    expect(isDocument(`[Called on Monday] ${long}`)).toBe(false);
    expect(isDocument(`{{name}}, ${long}`)).toBe(false);
    expect(isDocument(long)).toBe(false);
    expect(isDocument(null)).toBe(false);
  });

  test("is told from a long text without reading all of it", () => {
    const endless = "x".repeat(300_000);
    expect(isDocument(JSON.stringify({ sections: endless }))).toBe(true);
    expect(isDocument(`[Minutes] ${endless}`)).toBe(false);
  });
});
