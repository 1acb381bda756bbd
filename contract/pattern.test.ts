// Patterns agree with the regular expressions that they are a part of, take no time that grows beyond the text, and say where they
// cannot be read.
import { describe, expect, it } from "vitest";
import { matchesPattern, parsePattern } from "./pattern.ts";

const matches = (source: string, text: string): boolean => {
  const parsed = parsePattern(source);
  if (!parsed.ok) throw new Error(`${source}: ${JSON.stringify(parsed.error)}`);
  return matchesPattern(parsed.pattern, text);
};

/** A generator of numbers from 0 to 1 that is the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

describe("patterns", () => {
  it("judge whole texts as regular expressions do, on random patterns and texts", () => {
    const next = random(7);
    const pick = <One>(from: readonly One[]): One => from[Math.floor(next() * from.length)] as One;
    const atoms = ["a", "b", ".", "\\d", "\\w", "\\S", "[ab]", "[^a]", "[0-9b-]", "\\.", "-"];
    const build = (depth: number): string => {
      const parts = Array.from({ length: 1 + Math.floor(next() * 3) }, () => {
        const one = depth > 0 && next() < 0.3 ? `(${build(depth - 1)})` : pick(atoms);
        return one + pick(["", "", "", "*", "+", "?", "{2}", "{1,2}", "{2,}"]);
      });
      return next() < 0.2 ? `${parts.join("")}|${pick(atoms)}` : parts.join("");
    };
    for (let round = 0; round < 2_000; round += 1) {
      const source = build(2);
      const text = Array.from({ length: Math.floor(next() * 7) }, () => pick(["a", "b", "1", "-", ".", " "])).join("");
      const expected = new RegExp(`^(?:${source})$`, "u").test(text);
      expect([source, text, matches(source, text)]).toEqual([source, text, expected]);
    }
  });

  it("take signs for the beginning and the end, and letters of every script", () => {
    expect(matches("^[A-Z]{2}-\\d{4}$", "AB-1234")).toBe(true);
    expect(matches("[A-Z]{2}-\\d{4}", "xAB-1234")).toBe(false);
    expect(matches("[😀-😎]+ж?", "😀😎ж")).toBe(true);
    expect(matches("(?:ab|)c", "c")).toBe(true);
  });

  it("finish at once where a backtracking engine would not", () => {
    const text = `${"a".repeat(1_000)}!`;
    for (const source of ["(a+)+", "(a*)*", "(a|a)*", "(a?){100}a{100}", "((a+)*)*b", "(.*)*x"]) {
      expect(matches(source, text)).toBe(false);
    }
  });

  it("are refused where they cannot be read or come to too much", () => {
    for (const source of [
      "(",
      ")",
      "[",
      "[]",
      "a{",
      "a{2,1}",
      "*a",
      "a**",
      "(?=a)",
      "\\1",
      "\\b",
      "a$b",
      "[z-a]",
      "\\",
    ]) {
      expect([source, parsePattern(source).ok]).toEqual([source, false]);
    }
    for (const source of ["((a{100}){100}){100}", "a{999}", "(".repeat(60), "a".repeat(201)]) {
      expect([source, parsePattern(source).ok]).toEqual([source, false]);
    }
  });
});

it("groups of nothing, however often and deep they are repeated, cost nothing", () => {
  for (const empty of ["()", "(a{0})"]) {
    let pattern = empty;
    for (let depth = 0; depth < 10; depth += 1) pattern = `(${pattern}){200}`;
    const parsed = parsePattern(pattern);
    expect(parsed.ok).toBe(true);
  }
});
