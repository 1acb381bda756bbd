// Opens a workbook: which sheets it has, where each lies, which styles are dates. Refuses what would unpack to far more than
// it is; what a part really holds is compared with what it said while it is read.
import type { Readable } from "node:stream";
import type { SaxesTagPlain } from "saxes";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { limits, UnreadableFile } from "./unreadable.ts";
import { parseXml } from "./xml.ts";

export interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly part: string }[];
  /** Days are counted from 1904. */
  readonly since1904: boolean;
  /** By the number of a cell's style: its numbers are shown as days, as times alone, or as numbers. */
  readonly dates: readonly DateStyle[];
  open(part: string): Promise<Readable | undefined>;
  close(): void;
}

/** What a chosen sheet is kept by; programs allow 31 characters. */
const MOST_NAME = 100;

export type DateStyle = "day" | "time" | undefined;

export async function openWorkbook(path: string): Promise<Workbook> {
  const zip = await openPromise(path, { autoClose: false }).catch(() => {
    throw new UnreadableFile(say("import_not_a_workbook"));
  });
  try {
    const parts = await partsOf(zip);
    const open = async (part: string) => {
      const entry = parts.get(part);
      return entry && zip.openReadStreamPromise(entry);
    };
    const targets = new Map<string, string>();
    await readPart(open, "xl/_rels/workbook.xml.rels", ({ name, attributes }) => {
      if (name === "Relationship") targets.set(attributes.Id ?? "", partName(attributes.Target ?? ""));
    });
    const sheets: { name: string; part: string }[] = [];
    let since1904 = false;
    const isThere = await readPart(open, "xl/workbook.xml", ({ name, attributes }) => {
      if (local(name) === "workbookPr") since1904 = /^(?:1|true)$/u.test(attributes.date1904 ?? "");
      if (local(name) !== "sheet") return;
      const part = targets.get(attributes["r:id"] ?? attributes["ns0:id"] ?? "") ?? "";
      if (parts.has(part)) sheets.push({ name: (attributes.name ?? "").slice(0, MOST_NAME).toWellFormed(), part });
      if (sheets.length > limits.sheets) throw new UnreadableFile(say("import_unpacks_too_large"));
    });
    if (!isThere || sheets.length === 0) throw new UnreadableFile(say("import_not_a_workbook"));
    return { sheets, since1904, dates: await dateStyles(open), open, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error instanceof UnreadableFile || error instanceof Failure
      ? error
      : new UnreadableFile(say("import_damaged_workbook"), error);
  }
}

export const local = (name: string): string => name.slice(name.indexOf(":") + 1);

const partName = (target: string): string => (target.startsWith("/") ? target.slice(1) : `xl/${target}`);

async function partsOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const parts = new Map<string, Entry>();
  if (zip.entryCount > limits.parts) throw new UnreadableFile(say("import_not_a_workbook"));
  for await (const entry of zip.eachEntry()) {
    const { compressedSize, uncompressedSize } = entry;
    const isBomb =
      uncompressedSize > limits.partBytes ||
      (uncompressedSize > limits.largePartBytes && uncompressedSize > compressedSize * limits.packedRatio);
    if (isBomb) throw new UnreadableFile(say("import_unpacks_too_large"));
    if (entry.isEncrypted()) throw new UnreadableFile(say("import_encrypted"));
    parts.set(entry.fileName, entry);
  }
  return parts;
}

/** False: there is no such part. For parts that are small in every workbook. */
async function readPart(open: Workbook["open"], part: string, opened: (tag: SaxesTagPlain) => void): Promise<boolean> {
  const stream = await open(part);
  if (!stream) return false;
  let bytes = 0;
  for await (const fed of parseXml(stream, { opened })) {
    bytes += fed;
    if (bytes > limits.largePartBytes) throw new UnreadableFile(say("import_unpacks_too_large"));
  }
  return true;
}

/** Formats that every workbook knows without naming them. */
const builtInDates = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
]);

const builtInTimes = new Set([18, 19, 20, 21, 45, 46, 47]);

async function dateStyles(open: Workbook["open"]): Promise<DateStyle[]> {
  const own = new Map<number, DateStyle>();
  const dates: DateStyle[] = [];
  let inCells = false;
  await readPart(open, "xl/styles.xml", ({ name, attributes }) => {
    const tag = local(name);
    if (tag === "numFmt") own.set(Number(attributes.numFmtId), styleOf(attributes.formatCode ?? ""));
    else if (tag === "cellXfs") inCells = true;
    else if (tag === "cellStyles" || tag === "dxfs") inCells = false;
    else if (tag === "xf" && inCells) {
      const id = Number(attributes.numFmtId ?? "0");
      dates.push(own.has(id) ? own.get(id) : builtInTimes.has(id) ? "time" : builtInDates.has(id) ? "day" : undefined);
    }
  });
  return dates;
}

/** By the letters of days and times outside of quotes; in brackets only those of a time that goes on beyond a day (`[h]:mm`). */
export function styleOf(code: string): DateStyle {
  let letters = "";
  let isQuoted = false;
  let inBrackets: string | undefined;
  for (let at = 0; at < Math.min(code.length, 500); at += 1) {
    const character = code[at] ?? "";
    if (character === "\\" || character === "_" || character === "*") at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === "[" && !isQuoted) inBrackets = "";
    else if (character === "]") {
      if (/^(?:h+|m+|s+)$/iu.test(inBrackets ?? "")) letters += "h";
      inBrackets = undefined;
    } else if (inBrackets !== undefined) inBrackets += character;
    else if (!isQuoted && /[ymdhs]/iu.test(character)) letters += character.toLowerCase();
  }
  if (letters === "") return undefined;
  return /[yd]/u.test(letters) || !/[hs]/u.test(letters) ? "day" : "time";
}
