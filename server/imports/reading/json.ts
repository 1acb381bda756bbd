// Takes a file of JSON (an array of objects, or an object that holds one) or of JSON lines; gives the objects in it as rows in
// batches. Members within members become columns with dots between; rows within a row are numbered from 1.
import { Failure } from "../../../contract/failures.ts";
import { type Message, say } from "../../../contract/messages.ts";
import { jsonPosition, parseJson } from "../../request/json/json.ts";
import { isTree, type TreeValue } from "../../request/tree.ts";
import { readText } from "./text.ts";
import {
  charactersOf,
  checkRow,
  type Dialect,
  inCell,
  inLine,
  limits,
  type SourceRow,
  UnreadableFile,
} from "./unreadable.ts";

const BATCH = 1_000;
const LEVELS = 6;

/** The names of columns in the order in which they were met; it grows as the file is read. */
export type ColumnNames = Map<string, number>;

export async function* readJson(path: string, dialect: Dialect, names: ColumnNames): AsyncGenerator<SourceRow[], void> {
  const pieces = readText(path, dialect.encoding);
  const texts = dialect.format === "jsonl" ? lines(pieces) : elements(pieces);
  let batch: SourceRow[] = [];
  let held = 0;
  let count = 0;
  for await (const piece of texts) {
    if (piece.text.trim() === "") continue;
    const { line } = piece;
    count += 1;
    // Elements of an array are told by their number: all of them may stand in one line.
    const row = checkRow({ line: dialect.format === "json" ? count : line, cells: cellsOf(piece, names) });
    batch.push(row);
    held += charactersOf(row);
    if (batch.length < BATCH && held < limits.heldCharacters) continue;
    yield batch;
    batch = [];
    held = 0;
  }
  yield batch;
}

interface Piece {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

async function* lines(pieces: AsyncIterable<string>): AsyncGenerator<Piece, void> {
  let line = 1;
  let held: string[] = [];
  let characters = 0;
  const whole = (): Piece => {
    const text = held
      .join("")
      .replace(/\r$/u, "")
      .replace(/^\ufeff/u, "");
    held = [];
    characters = 0;
    return { line: line++, column: 1, text };
  };
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
      held.push(piece.slice(from, end));
      from = end + 1;
      yield whole();
    }
    held.push(piece.slice(from));
    characters += piece.length - from;
    if (characters > limits.rowCharacters) throw tooLarge({ line, column: 1, text: held.join("") });
  }
  yield whole();
}

/** The objects of the first array that has any, one after the other; what is around it is passed over. */
async function* elements(pieces: AsyncIterable<string>): AsyncGenerator<Piece, void> {
  const scan = new ArrayScan();
  for await (const piece of pieces) yield* scan.take(piece);
  scan.end();
}

class ArrayScan {
  private line = 1;
  /** Where the last line end stands, counted from where the piece begins. */
  private lineEnd = -1;
  private start = { line: 1, column: 1 };
  private part = "";
  /** What is open around the array, itself included. */
  private around = 0;
  /** How deep within an element of the array; undefined outside of it. */
  private depth: number | undefined;
  private found = 0;
  private hasList = false;
  private isOver = false;
  private isText = false;
  private isEscaped = false;

  *take(piece: string): Generator<Piece, void> {
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const character = piece[at] ?? "";
      if (character === "\n") {
        this.line += 1;
        this.lineEnd = at;
      }
      if (this.isText) this.inText(character);
      else if (character === "{" || character === "[") {
        if (this.depth === 0) {
          if (character === "[") throw inCell(this.line, at - this.lineEnd, say("import_not_an_object"));
          from = at;
          this.start = { line: this.line, column: at - this.lineEnd };
        }
        this.opened(character);
      } else if (character === "}" || character === "]") {
        if (!this.closed(at)) continue;
        this.found += 1;
        yield { ...this.start, text: this.part + piece.slice(from, at + 1) };
        this.part = "";
      } else if (this.depth === 0 && !/[\s,]/u.test(character))
        throw inCell(this.line, at - this.lineEnd, say("import_not_an_object"));
      else if (character === '"') this.isText = true;
    }
    if (this.depth !== undefined && this.depth > 0) this.part += piece.slice(from);
    this.lineEnd -= piece.length;
    if (this.part.length > limits.rowCharacters) throw tooLarge({ ...this.start, text: this.part });
  }

  end(): void {
    if (this.around > 0 || this.isText) throw inCell(this.line, -this.lineEnd, say("import_json_unfinished"));
    if (this.found === 0) throw new UnreadableFile(say(this.hasList ? "import_no_rows" : "import_no_array"));
  }

  private inText(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (character === "\\") this.isEscaped = true;
    else if (character === '"') this.isText = false;
  }

  private opened(character: string): void {
    if (this.depth !== undefined) this.depth += 1;
    else {
      this.around += 1;
      if (character === "[" && !this.isOver) this.depth = 0;
    }
  }

  /** Whether an element ends here. */
  private closed(at: number): boolean {
    if (this.depth !== undefined && this.depth > 0) {
      this.depth -= 1;
      return this.depth === 0;
    }
    if (this.depth === 0) {
      this.depth = undefined;
      this.hasList = true;
      this.isOver = this.found > 0;
    }
    this.around -= 1;
    if (this.around < 0) throw inCell(this.line, at - this.lineEnd, say("import_bad_json"));
    return false;
  }
}

/** Of an object that is not over yet: told where the text begins that is too long for a cell, else where the object does. */
function tooLarge(piece: Piece): UnreadableFile {
  const { text } = piece;
  let start = -1;
  for (let at = 0; at < text.length; at += 1) {
    if (start !== -1 && at - start > limits.characters)
      return inPiece(piece, start, say("import_cell_too_long", { max: limits.characters }));
    if (text[at] === '"') start = start === -1 ? at : -1;
    else if (text[at] === "\\" && start !== -1) at += 1;
  }
  return inPiece(piece, 0, say("import_row_too_large", { max: limits.rowCharacters }));
}

/** `at`: from 0. */
function inPiece({ line, column, text }: Piece, at: number, reason: Message): UnreadableFile {
  const lines = text.slice(0, at).split("\n");
  const last = (lines.at(-1) ?? "").length;
  return inCell(line + lines.length - 1, lines.length === 1 ? column + last : last + 1, reason);
}

/** What is wrong with the text of an object, where it stands in the file. */
function explained(piece: Piece, error: unknown): UnreadableFile {
  const { line } = piece;
  if (!(error instanceof Failure)) return inLine(line, say("import_bad_json"), error);
  const position = jsonPosition(error);
  const reason = reasonOf(error);
  return position === undefined ? inLine(line, reason, error) : inPiece(piece, position - 1, reason);
}

function reasonOf({ code }: Failure): Message {
  if (code === "too_many_keys") return say("import_too_many_columns", { max: limits.columns });
  return code === "too_deep" ? say("import_too_deep", { max: LEVELS }) : say("import_bad_json");
}

function cellsOf(piece: Piece, names: ColumnNames): (string | null)[] {
  const { line, text } = piece;
  let value: TreeValue;
  try {
    value = parseJson(text, LEVELS, limits.columns, "all").value;
  } catch (error) {
    throw explained(piece, error);
  }
  if (!isTree(value)) throw inLine(line, say("import_not_an_object"));
  const cells: (string | null)[] = new Array(names.size).fill(null);
  for (const [member, own] of Object.entries(value)) {
    flatten(member, own, (name, leaf) => {
      let at = names.get(name);
      if (at === undefined) {
        at = names.size;
        if (name.length > limits.pathCharacters)
          throw inPiece(piece, placeOf(member, text), say("import_name_too_long", { max: limits.pathCharacters }));
        if (at >= limits.columns)
          throw inPiece(piece, placeOf(member, text), say("import_too_many_columns", { max: limits.columns }));
        names.set(name, at);
      }
      cells[at] = leaf;
    });
  }
  return cells.map((cell) => cell ?? null);
}

/** Where a member of an object stands in its text, from 0. */
function placeOf(member: string, text: string): number {
  let depth = 0;
  let isKey = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const start = at;
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === "\\") at += 1;
      if (depth === 1 && isKey && JSON.parse(text.slice(start, at + 1)) === member) return start;
      isKey = false;
    } else if (character === "{" || character === "[") {
      depth += 1;
      isKey = depth === 1;
    } else if (character === "}" || character === "]") depth -= 1;
    else if (character === ",") isKey = depth === 1;
  }
  return 0;
}

function flatten(name: string, value: TreeValue, put: (name: string, leaf: string | null) => void): void {
  if (Array.isArray(value)) {
    const list = value as readonly TreeValue[];
    // One cell, as a choice of several is written. What does not fit into one has a column each.
    if (list.every((one) => typeof one === "string" || one === null))
      put(name, list.filter((one) => one !== null).join(";"));
    else for (const [index, one] of list.entries()) if (one !== null) flatten(`${name}.${index + 1}`, one, put);
  } else if (isTree(value)) for (const [key, one] of Object.entries(value)) flatten(`${name}.${key}`, one, put);
  else put(name, typeof value === "string" ? value : null);
}
