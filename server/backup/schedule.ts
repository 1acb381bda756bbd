// Makes backups by the clock, for the services that are told where: of several processes on one database, one makes each.
// How it went is written down, logged, and told to whoever runs the service.
import path from "node:path";
import type pg from "pg";
import type { Logger } from "pino";
import type { Contents } from "./archive.ts";
import { BackupFault, BackupRunning, BackupStopped } from "./faults.ts";
import { type BackupSource, makeBackup } from "./make-backup.ts";
import { recordResult } from "./results.ts";
import { backupFolder, keepNewest, removeDrafts, scheduledName } from "./retention.ts";

export interface Schedule {
  readonly folder: string;
  readonly everySeconds: number;
  readonly keep: number;
}

export interface ScheduleOptions {
  readonly schedule: Schedule;
  readonly source: BackupSource;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** Called where one fails after one that did not. */
  readonly tell: (failure: string) => Promise<void>;
  /** Names the archive; whether it is due is for the database to say. */
  readonly now?: () => Date;
}

export interface Scheduler {
  /** Looks now, and every minute. */
  start(): void;
  /** Makes one if its time has come. */
  look(): Promise<"made" | "failed" | "not due" | "stopped">;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 60_000;
/** One that failed is tried again after this, or when the next is due. */
const RETRY_SECONDS = 3_600;

/** Somebody has made it already. */
class NotDue extends BackupFault {}

export function createScheduler({ schedule, source, log, tell, now = () => new Date() }: ScheduleOptions): Scheduler {
  const stopping = new AbortController();
  let running: ReturnType<Scheduler["look"]> | undefined;

  /** By the clock of the database, which all processes share. Asked with the lock: nobody else makes one meanwhile. */
  const requireDue = async (client: pg.Client): Promise<{ readonly failedBefore: boolean }> => {
    const { rows } = await client.query<{ failed: string; seconds: string }>(`
      select (failure is not null)::text as failed, extract(epoch from (now() at time zone 'utc') - began)::text as seconds
      from public.dossier_backups where kind = 'scheduled' order by id desc limit 1`);
    const [last] = rows;
    if (!last) return { failedBefore: false };
    const failedBefore = last.failed === "true";
    const wait = failedBefore ? Math.min(RETRY_SECONDS, schedule.everySeconds) : schedule.everySeconds;
    if (Number(last.seconds) < wait) throw new NotDue();
    return { failedBefore };
  };

  const make = async (): Promise<Awaited<ReturnType<Scheduler["look"]>>> => {
    const began = Date.now() / 1000;
    let file = schedule.folder;
    let failedBefore = false;
    let contents: Contents;
    try {
      file = path.join(schedule.folder, scheduledName(now()));
      const afterLock = async (client: pg.Client): Promise<void> => {
        ({ failedBefore } = await requireDue(client));
        await removeDrafts(await backupFolder(schedule.folder));
      };
      contents = await makeBackup(source, file, { signal: stopping.signal, afterLock });
    } catch (error) {
      if (error instanceof NotDue || error instanceof BackupRunning) return "not due";
      if (error instanceof BackupStopped) return "stopped";
      const failure = error instanceof Error ? error.message : String(error);
      log.error({ backup: true, file }, `the scheduled backup failed: ${failure}`);
      await recordResult(source.connection, { kind: "scheduled", file, began, outcome: { failure } });
      if (!failedBefore) await tell(failure);
      return "failed";
    }
    await recordResult(source.connection, { kind: "scheduled", file, began, outcome: contents });
    const { bytes, rows, files, missingFiles } = contents;
    const seconds = Math.round(Date.now() / 1000 - began);
    log.info({ backup: true, file, bytes, rows, files, seconds }, "the scheduled backup is written and checked");
    if (missingFiles.length > 0)
      log.warn(
        { backup: true, missing: missingFiles.slice(0, 20) },
        `${missingFiles.length} files are missing from the file store`,
      );
    const removed = await keepNewest(schedule.folder, schedule.keep);
    if (removed.length > 0) log.info({ backup: true, removed }, "older backups are removed");
    return "made";
  };

  const look: Scheduler["look"] = () =>
    (running ??= make().finally(() => {
      running = undefined;
    }));
  const wake = (): void => {
    look().catch((error: unknown) => log.error(error, "the scheduled backup could not be looked after"));
  };
  let looking: NodeJS.Timeout | undefined;
  return {
    look,
    start: () => {
      looking = setInterval(wake, LOOK_EVERY_MS).unref();
      wake();
    },
    close: async () => {
      clearInterval(looking);
      stopping.abort();
      await running?.catch(() => undefined);
    },
  };
}
