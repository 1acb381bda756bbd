// Takes nothing; gives the words for where a server runs: its folders, programs and account; never touches them.
import { existsSync } from "node:fs";
import path from "node:path";
import type { Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";

export interface ClusterSite {
  readonly dataDir: string;
  readonly folder: string;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
}

export const clusterFolder = (dataDir: string): string => path.join(dataDir, "postgres");

/** The server is told of its folder as the one it stands in: no permission on the folders above is needed then. */
export const folderAsSeenInside = (folder: string): string =>
  existsSync("/proc/self/cwd") ? "/proc/self/cwd" : folder;
