// Takes a file; finds out what it is by what stands in it, never by its name alone: a workbook, JSON, JSON lines or separated
// values, in which encoding, with which separator and quotes, and whether its first row names the columns.
import { open } from "node:fs/promises";
import { say } from "../../../contract/messages.ts";
import { exceeds } from "../../lib/json/exceeds.ts";
import { findEncoding, readText } from "./text.ts";
import { type Dialect, limits, type SourceRow, UnreadableFile } from "./unreadable.ts";

const HEAD = 64 * 1024;
/** Rows are far less deep; what stands beside them in a file is not read. */
const DEEPEST = 100;
const separators = [",", ";", "\t", "|"] as const;

export async function recognize(path: string, fileName: string): Promise<Dialect> {
  const head = await headOf(path);
  if (head.length === 0) throw new UnreadableFile(say("import_empty"));
  const plain = { encoding: "utf-8", separator: ",", quote: '"', headerRow: 1, sheet: "" } as const;
  if (head.subarray(0, 4).toString("latin1") === "PK\x03\x04") return { ...plain, format: "xlsx" };
  const known = binaryKind(head);
  if (known !== undefined) throw new UnreadableFile(say("import_unknown_format", { kind: known }));
  const encoding = await findEncoding(path, head);
  const text = new TextDecoder(encoding).decode(head).replace(/^\ufeff/u, "");
  const start = text.trimStart();
  if (start.startsWith("[")) return { ...plain, encoding, format: "json" };
  if (start.startsWith("{")) return { ...plain, encoding, format: await jsonFormat(path, encoding, fileName) };
  const separator = separatorOf(text, fileName);
  const quote = separator === "\t" && !text.includes('\t"') && !text.includes('\n"') ? "" : '"';
  return { ...plain, encoding, format: "csv", separator, quote };
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function binaryKind(head: Buffer): string | undefined {
  const start = head.subarray(0, 8).toString("latin1");
  if (start.startsWith("\xd0\xcf\x11\xe0")) return "XLS";
  if (start.startsWith("%PDF")) return "PDF";
  if (start.startsWith("\x89PNG") || start.startsWith("\xff\xd8\xff") || start.startsWith("GIF8")) return "picture";
  if (start.startsWith("\x1f\x8b")) return "gzip";
  if (/^<\?xml|^<!doctype|^<html/iu.test(head.subarray(0, 100).toString("latin1").trimStart())) return "XML";
  return undefined;
}

/** An object that ends with its line is one of many, unless it is all there is and holds the rows itself. */
async function jsonFormat(path: string, encoding: Dialect["encoding"], fileName: string): Promise<"json" | "jsonl"> {
  const { first, isOnly } = await firstLine(path, encoding);
  const value = first === undefined ? undefined : parsed(first);
  const isNamedLines = /\.(?:jsonl|ndjson)$/iu.test(fileName);
  // Of a first line that is too long the name says what it is: its reader tells the line.
  if (value === undefined) return first === undefined && isNamedLines ? "jsonl" : "json";
  return isOnly && !isNamedLines && Object.values(value).some(isListOfObjects) ? "json" : "jsonl";
}

const isListOfObjects = (value: unknown): boolean =>
  Array.isArray(value) && typeof value[0] === "object" && value[0] !== null;

/** The first line that is not empty, unless it is longer than a row can be, and whether anything follows it. */
async function firstLine(path: string, encoding: Dialect["encoding"]): Promise<{ first?: string; isOnly: boolean }> {
  const held: string[] = [];
  let characters = 0;
  let hasEnded = false;
  for await (const piece of readText(path, encoding)) {
    let rest: string = characters === 0 ? piece.trimStart() : piece;
    if (!hasEnded) {
      const [line = "", ...others] = splitOnce(rest);
      held.push(line);
      characters += line.length;
      hasEnded = others.length > 0;
      rest = others.join("");
    }
    if (characters > limits.rowCharacters) return { isOnly: false };
    if (hasEnded && rest.trim() !== "") return { first: held.join(""), isOnly: false };
  }
  return { first: held.join(""), isOnly: true };
}

function splitOnce(text: string): readonly string[] {
  const end = text.indexOf("\n");
  return end === -1 ? [text] : [text.slice(0, end), text.slice(end + 1)];
}

/** Undefined for what is no object. Nothing of one that is nested too deeply is looked at: its reader refuses it. */
function parsed(text: string): object | undefined {
  if (exceeds(text, { levels: DEEPEST, marks: Number.POSITIVE_INFINITY }) !== undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The one that the first line names, else the one that occurs equally often in most lines, outside of quotes. */
function separatorOf(text: string, fileName: string): string {
  const [, named] = /^"?sep=([^\r\n"])"?[\r\n]/iu.exec(text) ?? [];
  if (named !== undefined) return named;
  const all = linesOf(text).slice(0, 100);
  const score = (separator: string): number => {
    const counts = all.map((line) => line.split(separator).length - 1);
    const usual = counts[0] ?? 0;
    return usual === 0 ? 0 : usual * counts.filter((count) => count === usual).length;
  };
  const best = separators.reduce((a, b) => (score(b) > score(a) ? b : a));
  return score(best) === 0 && /\.tsv$|\.tab$/iu.test(fileName) ? "\t" : best;
}

/** Whole lines, with what stands in quotes left out. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "\n" || character === "\r") {
      if (line !== "") lines.push(line);
      line = "";
    } else line += character;
  }
  return lines.length === 0 ? [line] : lines;
}

/** Names are texts: a first row with numbers or dates in it, or with an empty cell between others, is one of values. */
export function hasHeader([first, ...rest]: readonly SourceRow[]): boolean {
  if (!first) return false;
  const isValue = (cell: string | null): boolean =>
    cell !== null && /\d/u.test(cell) && /^[\s\d.,:/+()€$%-]+$/u.test(cell);
  const filled = first.cells.filter((cell) => cell !== null && cell.trim() !== "");
  if (filled.length === 0 || filled.some(isValue) || filled.some((cell) => (cell ?? "").length > 200)) return false;
  if (filled.some((cell) => (cell ?? "").includes("@"))) return false;
  return rest.length === 0 || new Set(filled).size === filled.length || filled.length > 1;
}
