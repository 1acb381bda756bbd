// Takes a text from outside (a spreadsheet, the clipboard) and the field that it is meant for; gives the value of the wire,
// what to look a reference up by, or the name of the words that say why it cannot be taken. Whether the field's rules
// hold is checked by check-value.ts.

import type { SchemaField } from "../../client/design/record-types.ts";
import { writeInstant } from "../../client/transport/instant.ts";
import { instantIn } from "../../contract/zones.ts";
import { readDay, type WrittenDay } from "./read-day.ts";
import { readNumber } from "./read-number.ts";

export type Unreadable = "number" | "whole_number" | "date" | "moment" | "yes_no" | "choice" | "choices" | "on_page";

export type Reading =
  | { readonly value: string | null; readonly text?: string | undefined }
  /** The record that is called so. */
  | { readonly name: string }
  | { readonly why: Unreadable };

export interface Reader {
  /** Of the reader; undefined: the browser's own. */
  readonly locale: string | undefined;
  /** In which a time is meant that names no other. */
  readonly timeZone: string;
  readonly yes: string;
  readonly no: string;
}

type ReadField = Pick<SchemaField, "type" | "options">;

export function readText(field: ReadField, written: string, reader: Reader): Reading {
  const text = written.trim();
  if (text === "") return { value: field.type === "flag" ? "0" : null };
  switch (field.type) {
    case "integer": {
      const number = readNumber(text, reader.locale)?.replace(/\.0*$/, "");
      return number === undefined
        ? { why: "number" }
        : number.includes(".")
          ? { why: "whole_number" }
          : { value: number };
    }
    case "decimal":
    case "money":
    case "percent": {
      const number = readNumber(text, reader.locale);
      return number === undefined ? { why: "number" } : { value: number };
    }
    case "flag":
      return readFlag(text, reader);
    case "date": {
      const found = readDay(text, reader.locale);
      return found ? { value: found.day } : { why: "date" };
    }
    case "date-time": {
      const found = readDay(text, reader.locale);
      return found ? { value: writeInstant(instantOf(found, reader.timeZone)) } : { why: "moment" };
    }
    case "choice":
      return readChoices(field, [text], "choice");
    case "multiple-choice":
      return readChoices(field, splitChoices(field, text), "choices");
    case "reference":
      return { name: text };
    case "address":
    case "file":
    case "image":
    case "auto-number":
      return { why: "on_page" };
    default:
      return { value: text };
  }
}

const yeses = ["1", "true", "yes", "y", "x", "✓", "✔", "on"];
const noes = ["0", "false", "no", "n", "-", "✗", "off"];

function readFlag(text: string, { yes, no }: Reader): Reading {
  const word = text.toLocaleLowerCase();
  if (yeses.includes(word) || word === yes.toLocaleLowerCase()) return { value: "1" };
  if (noes.includes(word) || word === no.toLocaleLowerCase()) return { value: "0" };
  return { why: "yes_no" };
}

function instantOf({ day, minutes = 0, seconds, offset }: WrittenDay, timeZone: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const asUtc = new Date(Date.UTC(year, month - 1, date, 0, minutes - (offset ?? 0), seconds));
  return offset === undefined ? (instantIn(asUtc.toISOString().slice(0, 19), timeZone) ?? asUtc) : asUtc;
}

const same = (one: string, other: string): boolean => one.toLocaleLowerCase() === other.toLocaleLowerCase();

const optionOf = ({ options }: ReadField, text: string) =>
  options?.find(({ value }) => value === text) ??
  options?.find(({ label }) => same(label, text)) ??
  options?.find(({ value }) => same(value, text));

/** A label may hold a comma itself. */
function splitChoices(field: ReadField, text: string): readonly string[] {
  if (optionOf(field, text)) return [text];
  const parts = (mark: RegExp): string[] => text.split(mark).flatMap((part) => part.trim() || []);
  const bySemicolon = parts(/[;\n|]/);
  return bySemicolon.length > 1 ? bySemicolon : parts(/[,،]/);
}

function readChoices(field: ReadField, texts: readonly string[], why: "choice" | "choices"): Reading {
  const found = texts.map((text) => optionOf(field, text));
  const values = found.flatMap((option) => option?.value ?? []);
  return values.length === texts.length ? { value: [...new Set(values)].join(";") } : { why };
}
