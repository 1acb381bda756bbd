// Takes the machine and the socket folder; gives the server's settings as command-line flags; never reads or writes a
// configuration file, so that a changed release changes the settings of existing data too.
import { statfsSync } from "node:fs";
import { totalmem } from "node:os";
import { SOCKET_PORT } from "./socket-folder.ts";

const MB = 1024 * 1024;

export interface FlagOptions {
  readonly tag: string;
  readonly socketFolder: string;
  /** In place of ours. */
  readonly settings: Readonly<Record<string, string>>;
}

export function serverFlags(options: FlagOptions): string[] {
  const memory = usableMemory();
  const settings: Record<string, string> = {
    cluster_name: options.tag,
    listen_addresses: "",
    port: String(SOCKET_PORT),
    unix_socket_directories: `"${options.socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    max_connections: "200",
    shared_buffers: megabytes(Math.min(1024 * MB, Math.max(128 * MB, memory / 8))),
    effective_cache_size: megabytes(Math.max(256 * MB, memory / 2)),
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    wal_compression: "on",
    max_wal_size: "2GB",
    random_page_cost: "1.1",
    // Faster than `sync` for large cached scans; these binaries have no JIT.
    io_method: "worker",
    jit: "off",
    dynamic_shared_memory_type: sharedMemoryType(),
    TimeZone: "UTC",
    log_timezone: "UTC",
    log_destination: "stderr",
    logging_collector: "off",
    log_line_prefix: "%m [%p] ",
    ...options.settings,
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Docker gives /dev/shm 64 MB, in which a parallel query fails: such a machine keeps these segments in the data folder. */
function sharedMemoryType(): string {
  if (process.platform !== "linux") return "posix";
  try {
    const { blocks, bsize } = statfsSync("/dev/shm");
    return blocks * bsize >= 256 * MB ? "posix" : "mmap";
  } catch {
    return "mmap";
  }
}

function usableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / MB)}MB`;
