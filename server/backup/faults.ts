// What stops a backup or a restore, in one sentence for the person who asked for it.
import { Failure } from "../../contract/failures.ts";

/** Its message says what happened and what to do. */
export class BackupFault extends Error {}

export class BackupRunning extends BackupFault {
  constructor() {
    super("Another backup or restore of this database is running. Try again when it has finished.");
  }
}

export class BackupStopped extends BackupFault {
  constructor() {
    super("Stopped; nothing was changed.");
  }
}

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

const isDatabaseFull = (error: unknown): boolean =>
  codeOf(error) === "53100" || (error instanceof Failure && error.code === "disk_full");

const fileFaults: Readonly<Record<string, string>> = {
  ENOSPC: "there is no space left on the disk. Free some space or choose another place",
  EDQUOT: "the disk quota is used up. Free some space or choose another place",
  EFBIG: "the file would be larger than this place allows. Choose another place",
  EROFS: "the disk is read-only. Choose another place",
  EACCES: "permission denied. Choose another place, or run the command as another user",
  EPERM: "permission denied. Choose another place, or run the command as another user",
  ENOENT: "there is no such file or folder",
  EISDIR: "it is a folder. Name a file in it",
};

/** What a file operation threw, as a sentence about that place; anything else as it is. */
export function fileFault(error: unknown, doing: string): unknown {
  if (error instanceof BackupFault) return error;
  const known = fileFaults[codeOf(error)];
  return known === undefined ? error : new BackupFault(`${doing}: ${known}.`, { cause: error });
}

/** What a statement threw, with what was being done. */
export function databaseFault(error: unknown, doing: string): unknown {
  if (error instanceof BackupFault) return error;
  if (isDatabaseFull(error)) {
    return new BackupFault(`${doing}: the disk of the database is full. Free some space and try again.`, {
      cause: error,
    });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new BackupFault(`${doing}: ${reason}`, { cause: error });
}
