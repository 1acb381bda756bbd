// What a service that runs removes and tidies now and then, whoever else does so beside it.
import type { Logger } from "pino";
import { sweepThrottles } from "./access/throttle.ts";
import { purgeExpired } from "./controllers/metadata/removed/purge-removed.ts";
import { forgetRowChanges } from "./database/changes.ts";
import type { Database } from "./database/database.ts";
import { forgetEvents } from "./database/events/publish-events.ts";
import { tidyTextIndexes } from "./database/upkeep/tidy-indexes.ts";
import type { FileStore } from "./files/file-store.ts";
import { sweepFiles } from "./files/orphaned-files.ts";
import type { MetadataStore } from "./metadata/store.ts";
import { forgetDeliveries } from "./webhooks/forget-deliveries.ts";

/** Saves of ten seconds are put in place in a fraction of one, and a search reads no more than these beside the index. */
const TIDY_EVERY_MS = 10_000;
const SWEEP_EVERY_MS = 60_000;
const FORGET_EVERY_MS = 3_600_000;

interface Upkeep {
  readonly database: Database;
  readonly metadata: MetadataStore;
  readonly files: FileStore;
  readonly log: Pick<Logger, "warn" | "debug">;
  readonly eventsDays: number;
  removeUnusedIndexes(): Promise<void>;
}

/** Gives what ends it. */
export function startUpkeep({ database, metadata, files, log, eventsDays, removeUnusedIndexes }: Upkeep): () => void {
  const warn = (what: string) => (error: unknown) => log.warn(error, what);
  const later = (what: string) => (error: unknown) => log.debug(error, what);
  const sweepGuesses = () => void sweepThrottles(database).catch(warn("old login attempts were not removed"));
  const sweep = () => {
    forgetRowChanges(database).catch(later("what rows were is forgotten later"));
    sweepGuesses();
    sweepFiles(database, files).catch(warn("files that nobody keeps were not removed"));
  };
  const forget = () => {
    forgetEvents(database, eventsDays).catch(warn("old changes were not forgotten"));
    purgeExpired(metadata, database).catch(warn("removed fields and record types were not deleted this time"));
    void removeUnusedIndexes();
    forgetDeliveries(database).catch(warn("old deliveries were not removed"));
  };
  let isTidying = false;
  const tidy = () => {
    if (isTidying) return;
    isTidying = true;
    tidyTextIndexes(database)
      .catch(later("indexes of texts are tidied later"))
      .finally(() => {
        isTidying = false;
      });
  };
  sweepGuesses();
  forget();
  const timers = [
    setInterval(sweep, SWEEP_EVERY_MS),
    setInterval(forget, FORGET_EVERY_MS),
    setInterval(tidy, TIDY_EVERY_MS),
  ];
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
