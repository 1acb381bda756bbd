// Takes DATA_DIR; gives the file the server writes its messages to and what it says of a failed start; never lets the
// file grow past a few megabytes from one start to the next.
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from "node:fs";
import path from "node:path";

const MAX_BYTES = 5 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

export interface LogFile {
  readonly file: string;
  /** The descriptor to hand to the server; close it once the server has started. */
  readonly descriptor: number;
  /** The lines about what went wrong since the file was opened. */
  complaints(): string;
}

export function openLogFile(dataDir: string): LogFile {
  const file = path.join(dataDir, "postgres.log");
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(file, `${file}.1`);
  const descriptor = openSync(file, "a", 0o600);
  const from = fstatSync(descriptor).size;
  return { file, descriptor, complaints: () => pickComplaints(readFrom(file, from)) };
}

/** The lines of a server's output that name a cause; without any, its last lines. */
export function pickComplaints(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const telling = lines.filter((line) => /\b(FATAL|PANIC|ERROR|HINT|DETAIL|error|cannot)\b/.test(line));
  return (telling.length > 0 ? telling : lines).slice(-4).join("\n");
}

function readFrom(file: string, from: number): string {
  const descriptor = openSync(file, "r");
  try {
    const start = Math.max(from, fstatSync(descriptor).size - TAIL_BYTES);
    const buffer = Buffer.alloc(TAIL_BYTES);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, TAIL_BYTES, start));
  } finally {
    closeSync(descriptor);
  }
}
