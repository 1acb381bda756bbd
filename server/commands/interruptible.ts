// What commands that take long share: where they say something, and how a person ends them.
import { type ProgressOutput, showProgress } from "../backup/progress.ts";

export interface Terminal {
  readonly out: (line: string) => void;
  readonly progress: ProgressOutput;
}

export const terminal: Terminal = { out: (line) => void process.stdout.write(`${line}\n`), progress: process.stderr };

/** The first Ctrl+C ends it in order, the second at once. */
export function interruptible(to: Terminal) {
  const shown = showProgress(to.progress);
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    onProgress: shown.onProgress,
    signal: controller.signal,
    /** The line of progress is over; what comes next has its own. */
    endLine: () => shown.end(),
    end: () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
      shown.end();
    },
  };
}
