// Takes a program; runs it so that it gets SIGINT as soon as this process ends or lets go, even by kill -9; never
// shares the terminal's signals with it.
import { type ChildProcess, spawn } from "node:child_process";
import { type Account, childIdentity } from "./account.ts";

// The watcher reads a pipe whose other end only our process holds. It repeats the signal, because a shell starts
// background programs with SIGINT ignored, and PostgreSQL listens to it some milliseconds later.
const SCRIPT = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(
  read -r _ <&3
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    kill -INT "$server" || exit
    sleep 1
  done
) >/dev/null 2>&1 &
watcher=$!
wait "$server"
code=$?
kill "$watcher" 2>/dev/null
if [ -n "$DOSSIER_SOCKET_FOLDER" ]; then
  rm -f "$DOSSIER_SOCKET_FOLDER"/.s.PGSQL.*
  rmdir "$DOSSIER_SOCKET_FOLDER"
fi 2>/dev/null
exit "$code"
`;

export interface Lifeline {
  /** Settles when the shell is gone: with the program, unless someone killed the shell. Gives how it ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly text: string }>;
  readonly hasEnded: () => boolean;
  /** What the program wrote, when no descriptor was given. */
  readonly output: () => string;
  /** Lets the program end. */
  release(): void;
}

export function runOnLifeline(options: {
  command: readonly string[];
  folder: string;
  account: Account | undefined;
  /** Where a server writes its messages; without it, they are collected. */
  logDescriptor?: number;
  /** Removed with the server, because whoever made it may be gone by then. */
  socketFolder?: string;
}): Lifeline {
  const sink = options.logDescriptor ?? "pipe";
  const { env, ...identity } = childIdentity(options.account);
  const child = spawn("/bin/sh", ["-c", SCRIPT, "dossier-lifeline", ...options.command], {
    // Entered before the account changes, so that /proc/self/cwd works below a folder that lets only its owner in.
    cwd: options.folder,
    stdio: ["pipe", sink, sink],
    detached: true,
    ...identity,
    env: options.socketFolder === undefined ? env : { ...env, DOSSIER_SOCKET_FOLDER: options.socketFolder },
  });
  // The service may end without waiting for a server: the lifeline then does its work. Shorter programs are waited for.
  if (options.logDescriptor !== undefined) child.unref();
  let over = false;
  const output = collectOutput(child);
  child.stdin?.on("error", () => {});
  const ended = new Promise<{ code: number | null; text: string }>((resolve) => {
    const settle = (code: number | null, text: string): void => {
      over = true;
      // When only the shell was killed, this ends the program it left behind.
      child.stdin?.destroy();
      resolve({ code, text });
    };
    child.once("error", (error) => settle(null, error.message));
    child.once(options.logDescriptor === undefined ? "close" : "exit", (code, signal) =>
      settle(code, signal === null ? `exit code ${code}` : `signal ${signal}`),
    );
  });
  return { ended, hasEnded: () => over, output, release: () => void child.stdin?.destroy() };
}

function collectOutput(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
}
