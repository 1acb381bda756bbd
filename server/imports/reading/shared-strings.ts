// The texts that the cells of a workbook share, by number: a little in memory, the rest in a file without a name, so that a
// workbook with millions of them takes no more memory than a small one.
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import path from "node:path";
import { say } from "../../../contract/messages.ts";
import { limits, UnreadableFile } from "./unreadable.ts";

const MEMORY_CHARACTERS = 4 * 1024 * 1024;
const WRITTEN_AT_ONCE = 64 * 1024;
/** Texts that are asked for in no order are each read with their block: small ones cost less. */
const BLOCK = 8 * 1024;
const BLOCKS = 512;

export class SharedStrings {
  /** The number of one that is too long for any cell: neither it nor those after it were read. */
  endlessAt: number | undefined;
  private readonly folder: string;
  private readonly most: number;
  private readonly memory: string[] = [];
  private inMemory = 0;
  private total = 0;
  private file: number | undefined;
  private size = 0;
  private ends = new Float64Array(1024);
  private spilled = 0;
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private readonly blocks = new Map<number, Buffer>();

  constructor(folder: string, most: number = limits.sharedBytes) {
    this.folder = folder;
    this.most = most;
  }

  add(text: string): void {
    const cost = text.length + limits.sharedEntry;
    this.total += cost;
    if (this.total > this.most) throw new UnreadableFile(say("import_unpacks_too_large"));
    if (this.file === undefined && this.inMemory + cost <= MEMORY_CHARACTERS) {
      this.memory.push(text);
      this.inMemory += cost;
      return;
    }
    this.file ??= openNameless(this.folder);
    const bytes = Buffer.from(text);
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
    if (this.spilled === this.ends.length) {
      const larger = new Float64Array(this.ends.length * 2);
      larger.set(this.ends);
      this.ends = larger;
    }
    this.ends[this.spilled] = this.size + this.pendingBytes;
    this.spilled += 1;
    if (this.pendingBytes > WRITTEN_AT_ONCE) this.flush();
  }

  get count(): number {
    return this.memory.length + this.spilled;
  }

  /** Undefined where there is none. */
  get(index: number): string | undefined {
    if (index < this.memory.length) return this.memory[index];
    const at = index - this.memory.length;
    if (!Number.isInteger(at) || at < 0 || at >= this.spilled) return undefined;
    this.flush();
    return this.read(at === 0 ? 0 : (this.ends[at - 1] ?? 0), this.ends[at] ?? 0);
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private flush(): void {
    if (this.file === undefined || this.pendingBytes === 0) return;
    const bytes = Buffer.concat(this.pending, this.pendingBytes);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at, bytes.length - at, this.size + at);
    this.size += bytes.length;
    this.pending = [];
    this.pendingBytes = 0;
    this.blocks.clear();
  }

  private read(from: number, to: number): string {
    const first = Math.floor(from / BLOCK);
    if (to <= (first + 1) * BLOCK) return this.block(first).toString("utf8", from - first * BLOCK, to - first * BLOCK);
    const whole = Buffer.allocUnsafe(to - from);
    for (let at = from; at < to; ) {
      const number = Math.floor(at / BLOCK);
      const start = at - number * BLOCK;
      at += this.block(number).copy(whole, at - from, start, Math.min(BLOCK, start + to - at));
    }
    return whole.toString("utf8");
  }

  /** What it gives is good until the next one is asked for: the memory of those that go is used again. */
  private block(number: number): Buffer {
    const known = this.blocks.get(number);
    if (known) return known;
    const [oldest] = this.blocks.keys();
    const isFull = this.blocks.size >= BLOCKS && oldest !== undefined;
    const block = (isFull ? this.blocks.get(oldest) : undefined) ?? Buffer.allocUnsafe(BLOCK);
    if (isFull) this.blocks.delete(oldest);
    readSync(this.file ?? -1, block, 0, BLOCK, number * BLOCK);
    this.blocks.set(number, block);
    return block;
  }
}

/** Whatever becomes of the process, nothing is left of it. */
function openNameless(folder: string): number {
  const name = path.join(folder, randomUUID());
  const file = openSync(name, "wx+", 0o600);
  unlinkSync(name);
  return file;
}
