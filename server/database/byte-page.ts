// Bytes that grow as they are written: texts, pieces of other bytes, JSON of a value as PostgreSQL sent it. What was
// written is taken as a copy, and the room is used again.
import { jsonRoom, writeJson } from "./text-rows.ts";

const FIRST_ROOM = 128 * 1024;

export class BytePage {
  #bytes = Buffer.allocUnsafe(FIRST_ROOM);
  #end = 0;

  #room(more: number): Buffer {
    if (this.#end + more > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#end + more));
      this.#bytes.copy(grown, 0, 0, this.#end);
      this.#bytes = grown;
    }
    return this.#bytes;
  }

  text(text: string): void {
    // A UTF-16 unit takes three bytes of UTF-8 at the most.
    const bytes = this.#room(text.length * 3);
    this.#end += bytes.write(text, this.#end);
  }

  copy(source: Buffer, from: number, to: number): void {
    this.#end += source.copy(this.#room(to - from), this.#end, from, to);
  }

  json(source: Buffer, position: number): void {
    const bytes = this.#room(jsonRoom(Math.max(0, source.readInt32BE(position))));
    this.#end = writeJson(source, position, bytes, this.#end);
  }

  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#end));
    this.#end = 0;
    return taken;
  }
}
