// Takes process numbers; gives what the system knows about them; never sends a signal.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

const hasProc = existsSync("/proc/self/stat");

/** When a process started, in whatever unit the system counts; undefined when it is gone or only a zombie. */
export function startOf(pid: number): string | undefined {
  if (!hasProc) return statusOf(pid)?.started;
  const stat = readProc(pid, "stat");
  if (stat === undefined) return undefined;
  // The name in parentheses may hold anything, so count the fields after it: state is the 3rd, start the 22nd.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

/** True when the program behind the process is a PostgreSQL server; false when it is another program or gone. */
export function isServer(pid: number): boolean {
  return startOf(pid) !== undefined && namesServer(commandOf(pid) ?? "");
}

/** Every process of the server whose cluster_name is the tag: the command line says so, which anyone may read. */
export function processesTagged(tag: string): number[] {
  return listProcesses()
    .filter(({ command }) => command.includes(tag) && namesServer(command))
    .map(({ pid }) => pid)
    .filter((pid) => startOf(pid) !== undefined);
}

/** Two processes with the same place see the same process numbers: one boot of one machine, one PID namespace. */
export function placeOfProcesses(fallback: string): string {
  const boot = readText("/proc/sys/kernel/random/boot_id")?.trim();
  const namespace = readLink("/proc/self/ns/pid");
  return boot === undefined || namespace === undefined ? fallback : `${boot} ${namespace}`;
}

function namesServer(command: string): boolean {
  const first = command.split("\0", 1)[0] ?? "";
  return first.startsWith("postgres:") || path.basename(first.split(" ", 1)[0] ?? "") === "postgres";
}

function listProcesses(): { pid: number; command: string }[] {
  if (!hasProc) {
    const table = spawnSync("ps", ["-axww", "-o", "pid=,command="], { encoding: "utf8" }).stdout ?? "";
    return table
      .split("\n")
      .map((line) => ({ pid: Number.parseInt(line, 10), command: line.replace(/^\s*\d+\s+/, "") }));
  }
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.map((pid) => ({ pid, command: commandOf(pid) ?? "" }));
}

function commandOf(pid: number): string | undefined {
  return hasProc ? readProc(pid, "cmdline") : statusOf(pid)?.command;
}

function statusOf(pid: number): { started: string; command: string } | undefined {
  const found = spawnSync("ps", ["-ww", "-o", "stat=,lstart=,command=", "-p", String(pid)], { encoding: "utf8" });
  // lstart is five words: weekday, month, day, time, year.
  const match = /^(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s(.*)$/s.exec((found.stdout ?? "").trim());
  if (match === null || match[1]?.startsWith("Z")) return undefined;
  return { started: match[2] ?? "", command: match[3]?.trimStart() ?? "" };
}

const readProc = (pid: number, file: string): string | undefined => readText(`/proc/${pid}/${file}`);

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function readLink(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}
