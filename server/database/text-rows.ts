// Rows as PostgreSQL sent them: bytes of DataRow messages, read in place. A value becomes a string only where somebody
// asks for one; JSON is written from byte to byte.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const hexDigits = Buffer.from("0123456789abcdef");

export class TextRows {
  readonly #buffers: readonly Buffer[];
  /** Where a row's columns begin: after the count of columns. */
  readonly #starts: readonly number[];
  #positions: Int32Array | undefined;

  constructor(buffers: readonly Buffer[], starts: readonly number[]) {
    this.#buffers = buffers;
    this.#starts = starts;
    // The count of columns stands right before the first of them.
    this.columns = buffers[0]?.readInt16BE((starts[0] ?? 2) - 2) ?? 0;
  }

  get length(): number {
    return this.#starts.length;
  }

  /** How many columns each row has. */
  readonly columns: number;

  /** The bytes that a row lies in; positions are within them. */
  bytes(row: number): Buffer {
    const bytes = this.#buffers[row];
    if (bytes === undefined) throw new RangeError(`there is no row ${row}`);
    return bytes;
  }

  /** Where each column's length stands, row by row; its value follows. */
  get positions(): Int32Array {
    this.#positions ??= this.#index();
    return this.#positions;
  }

  #index(): Int32Array {
    const { columns, length } = this;
    const positions = new Int32Array(length * columns);
    for (let row = 0; row < length; row += 1) {
      const bytes = this.bytes(row);
      let position = this.#starts[row] ?? 0;
      for (let column = 0; column < columns; column += 1) {
        positions[row * columns + column] = position;
        const size = bytes.readInt32BE(position);
        position += size < 0 ? 4 : 4 + size;
      }
    }
    return positions;
  }

  /** Where a column's length stands within its row's bytes. */
  position(row: number, column: number): number {
    return this.positions[row * this.columns + column] ?? 0;
  }

  text(row: number, column: number): string | null {
    return textAt(this.bytes(row), this.position(row, column));
  }

  /** Every row as an array of texts. */
  toArrays(): (string | null)[][] {
    const rows: (string | null)[][] = [];
    for (let row = 0; row < this.length; row += 1) {
      const bytes = this.bytes(row);
      const texts: (string | null)[] = [];
      let at = this.#starts[row] ?? 0;
      for (let column = 0; column < this.columns; column += 1) {
        texts.push(textAt(bytes, at));
        at += 4 + Math.max(0, bytes.readInt32BE(at));
      }
      rows.push(texts);
    }
    return rows;
  }

  toReversed(): TextRows {
    return new TextRows(this.#buffers.toReversed(), this.#starts.toReversed());
  }
}

export function textAt(bytes: Buffer, position: number): string | null {
  const length = bytes.readInt32BE(position);
  return length < 0 ? null : bytes.toString("utf8", position + 4, position + 4 + length);
}

/** The most bytes that the JSON of this many bytes of text can take. */
export const jsonRoom = (bytes: number): number => bytes * 6 + 4;

/**
 * Writes the JSON of the column at `position` into `target`, which must have room; gives where it ends. The bytes are
 * UTF-8 from the database: only quotes, backslashes and control characters need escaping.
 */
export function writeJson(bytes: Buffer, position: number, target: Buffer, from: number): number {
  const length = bytes.readInt32BE(position);
  let at = from;
  if (length < 0) {
    target[at] = 0x6e;
    target[at + 1] = 0x75;
    target[at + 2] = 0x6c;
    target[at + 3] = 0x6c;
    return at + 4;
  }
  target[at++] = QUOTE;
  const end = position + 4 + length;
  for (let index = position + 4; index < end; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) {
      target[at++] = byte;
      continue;
    }
    target[at++] = BACKSLASH;
    if (byte === QUOTE || byte === BACKSLASH) target[at++] = byte;
    else {
      target[at++] = 0x75;
      target[at++] = 0x30;
      target[at++] = 0x30;
      target[at++] = hexDigits[byte >> 4] ?? 0x30;
      target[at++] = hexDigits[byte & 15] ?? 0x30;
    }
  }
  target[at++] = QUOTE;
  return at;
}
