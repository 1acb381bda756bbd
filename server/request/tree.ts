// The one shape of what a request brings, whatever its encoding: texts, nulls and files in objects and arrays.
// Objects have no prototype, so no sent key can reach one.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";

/** A file that lies in a temporary folder until the request is answered. Name and type are what the client claims. */
export class UploadedFile {
  readonly path: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: number;

  constructor(path: string, fileName: string, mimeType: string, size: number) {
    this.path = path;
    this.fileName = fileName;
    this.mimeType = mimeType;
    this.size = size;
  }
}

export type Leaf = string | null | UploadedFile;
export type TreeValue = Leaf | Tree | readonly TreeValue[];
export interface Tree {
  readonly [key: string]: TreeValue;
}

export const emptyTree = (): Record<string, TreeValue> => Object.create(null);

export function isTree(value: TreeValue | undefined): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof UploadedFile);
}

/** A parameter that must be one text. Absent, null and empty are all undefined. */
export function textAt(tree: Tree, name: string): string | undefined {
  const value = tree[name];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  throw new Failure("malformed_parameter", { with: { name: shown(name), reason: say("must_be_one_value") } });
}

/** A parameter that is 1 or 0; absent, 0. For those where taking anything else for 0 would allow more than was meant. */
export function flagAt(tree: Tree, name: string): boolean {
  const text = textAt(tree, name) ?? "0";
  if (text === "1" || text === "0") return text === "1";
  throw new Failure("malformed_parameter", {
    with: { name: shown(name), reason: say("must_be_one_of", { options: ["0", "1"] }) },
  });
}

const forbidden = new Set(["__proto__", "constructor", "prototype"]);

/** Names that could reach a prototype, and text that no database can hold, are refused at the door. */
export function checkKey(key: string, whole: string): void {
  if (forbidden.has(key)) {
    throw new Failure("malformed_parameter", {
      with: { name: shown(whole), reason: say("bad_name") },
    });
  }
  checkText(key, whole);
}

export function checkText(text: string, key: string): void {
  if (text.includes("\0")) {
    throw new Failure("malformed_parameter", { with: { name: shown(key), reason: say("has_nul") } });
  }
  if (!text.isWellFormed()) {
    throw new Failure("malformed_parameter", { with: { name: shown(key), reason: say("bad_unicode") } });
  }
}

const MOST_SHOWN = 100;

/** A sent name as an error message can show it. */
export function shown(name: string): string {
  // No more of it than is shown: pairs become one sign each.
  const begin = name.slice(0, 2 * MOST_SHOWN + 2);
  const clean = begin.toWellFormed().replace(/[\p{Cc}\p{Cf}]/gu, "\ufffd");
  const isWhole = begin.length === name.length && clean.length <= MOST_SHOWN;
  return isWhole ? clean : `${clean.slice(0, MOST_SHOWN).toWellFormed()}…`;
}
