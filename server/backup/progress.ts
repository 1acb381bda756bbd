// What a backup or a restore is at: one line that is written over at a terminal, else a line now and then.
import { BackupStopped } from "./faults.ts";

export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  /** What it is at: a table, a file. */
  readonly at?: string;
}

export type OnProgress = (progress: Progress) => void;

/** Whoever is told goes on, unless it was ended meanwhile. */
export const untilAborted =
  ({ onProgress, signal }: { readonly onProgress?: OnProgress; readonly signal?: AbortSignal }): OnProgress =>
  (progress) => {
    if (signal?.aborted) throw new BackupStopped();
    onProgress?.(progress);
  };

const EVERY_MS = 10_000;
const TERMINAL_MS = 100;

export interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number;
  write(text: string): unknown;
}

const lineOf = ({ stage, done, total, at }: Progress): string => {
  const share = total === 0 ? "" : ` ${Math.floor((100 * done) / total)}%`;
  return `${stage}${share}${at === undefined ? "" : `  ${at}`}`;
};

/** The beginning of each stage is always told. `end` leaves the line that was written over. */
export function showProgress(
  output: ProgressOutput,
  now: () => number = Date.now,
): { readonly onProgress: OnProgress; end(): void } {
  let stage = "";
  let told = 0;
  let open = false;
  return {
    onProgress: (progress) => {
      const isNew = progress.stage !== stage;
      if (!isNew && now() - told < (output.isTTY ? TERMINAL_MS : EVERY_MS)) return;
      [stage, told] = [progress.stage, now()];
      const line = lineOf(progress);
      if (output.isTTY) {
        output.write(`\r\x1b[K${line.slice(0, (output.columns ?? 80) - 1)}`);
        open = true;
      } else output.write(`${line}\n`);
    },
    end: () => {
      if (open) output.write("\r\x1b[K");
      open = false;
    },
  };
}
