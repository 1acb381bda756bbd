// JSON text → the very text that PostgreSQL's jsonb gives back: shorter keys first, `", "` and `": "` between,
// the last of equal keys, numbers in plain digits. Numbers stay texts throughout, so that none loses a digit.
import { type Fault, fault } from "../../../contract/messages.ts";
import { exceeds } from "../../lib/json/exceeds.ts";
import { plainNumber, withoutTrailingZeros } from "./exact-decimal.ts";

export type JsonbText = { readonly text: string } | { readonly fault: Fault };

const maxBytes = 64 * 1024;
const maxDepth = 20;

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gu;

const tooDeep = fault("json_too_deep", { max: maxDepth });
const tooLarge = fault("json_too_large");

export function jsonbText(sent: string): JsonbText {
  // Each mark is a byte of what is stored. To read megabytes of them first would keep everybody waiting.
  const beyond = exceeds(sent, { levels: maxDepth, marks: maxBytes });
  if (beyond !== undefined) return { fault: beyond === "levels" ? tooDeep : tooLarge };
  const value = readExactly(sent);
  if (value === undefined) return { fault: fault("bad_json") };
  const faults: Fault[] = [];
  const text = print(value, 0, spellNumber, faults);
  if (faults[0] !== undefined) return { fault: faults[0] };
  return Buffer.byteLength(text) > maxBytes ? { fault: tooLarge } : { text };
}

/** Of two texts that jsonb gave: whether they are one value. `1.10` and `1.1` are. */
export function sameJson(a: string, b: string): boolean {
  if (a === b) return true;
  const canonical = (text: string) =>
    print(readExactly(text), 0, (number, faults) => withoutTrailingZeros(spellNumber(number, faults)), []);
  return canonical(a) === canonical(b);
}

/** As JSON.parse, but a number is the string `#1.50`, a string or key the string `$…`. */
function readExactly(text: string): unknown {
  try {
    JSON.parse(text);
    return JSON.parse(text.replace(token, (part) => (part.startsWith('"') ? `"$${part.slice(1)}` : `"#${part}"`)));
  } catch {
    return undefined;
  }
}

type SpellNumber = (json: string, faults: Fault[]) => string;

const spellNumber: SpellNumber = (json, faults) => {
  // numeric holds 16,383 decimals; far smaller numbers than that are refused already, for the size they print to.
  const plain = plainNumber(json, 1000);
  if (plain === undefined) faults.push(fault("json_number_too_long"));
  return plain ?? "0";
};

function print(value: unknown, depth: number, number: SpellNumber, faults: Fault[]): string {
  if (typeof value === "string") {
    return value.startsWith("#") ? number(value.slice(1), faults) : printString(value.slice(1), faults);
  }
  if (typeof value !== "object" || value === null) return String(value);
  if (depth === maxDepth) {
    faults.push(tooDeep);
    return "null";
  }
  if (Array.isArray(value)) return `[${value.map((item) => print(item, depth + 1, number, faults)).join(", ")}]`;
  const members = Object.entries(value)
    .map(([key, item]: [string, unknown]) => ({ key: Buffer.from(key), name: key.slice(1), item }))
    .sort((a, b) => a.key.length - b.key.length || a.key.compare(b.key))
    .map(({ name, item }) => `${printString(name, faults)}: ${print(item, depth + 1, number, faults)}`);
  return `{${members.join(", ")}}`;
}

/** PostgreSQL escapes what JSON.stringify escapes. */
function printString(text: string, faults: Fault[]): string {
  if (text.includes("\u0000") || !text.isWellFormed()) faults.push(fault("broken_characters"));
  return JSON.stringify(text);
}
