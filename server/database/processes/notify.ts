// Calls back for each message of any process, and once more after a broken connection came back,
// because messages may have been missed: whoever keeps a cache then starts anew.
import pg from "pg";
import { clientConfig, type Queryable } from "../database.ts";
import { sql } from "../sql.ts";
import type { PeerLock } from "./peers.ts";

export const channels = [
  "dossier_metadata",
  "dossier_access",
  "dossier_mail",
  "dossier_jobs",
  "dossier_indexes",
  "dossier_computed",
  "dossier_rates",
  "dossier_presence",
] as const;
export type Channel = (typeof channels)[number];

export interface Listener {
  /** False while messages can be missed: caches must not be trusted. */
  readonly connected: () => boolean;
  /** Messages that arrived so far. */
  readonly heard: () => number;
  close(): Promise<void>;
}

export const notify = async (db: Queryable, channel: Channel, payload: string): Promise<void> => {
  await db.write(sql`select pg_notify(${channel}, ${payload})`);
};

/** A machine that vanished holds its locks no longer than a minute or so. */
const NOTICE_THE_DEAD = "set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3";

/** `locks` are held, shared, for as long as the connection is open. */
export async function listen(
  connection: pg.ClientConfig,
  locks: readonly PeerLock[],
  onMessage: (channel: Channel, payload: string) => void,
  onReconnect: () => void,
): Promise<Listener> {
  let client: pg.Client | undefined;
  let closed = false;
  let heard = 0;
  let retry: NodeJS.Timeout | undefined;

  const open = async (): Promise<void> => {
    const fresh = new pg.Client({ ...clientConfig(connection), keepAlive: true });
    const lost = () => {
      if (client === fresh || client === undefined) {
        client = undefined;
        if (!closed) scheduleRetry();
      }
    };
    fresh.on("error", () => undefined);
    fresh.on("end", lost);
    fresh.on("notification", (message) => {
      const channel = channels.find((name) => name === message.channel);
      heard += 1;
      if (channel) onMessage(channel, message.payload ?? "");
    });
    await fresh.connect();
    await fresh.query(NOTICE_THE_DEAD);
    for (const { kind, print } of locks) await fresh.query("select pg_advisory_lock_shared($1, $2)", [kind, print]);
    for (const channel of channels) await fresh.query(`listen ${channel}`);
    client = fresh;
  };

  const scheduleRetry = (): void => {
    clearTimeout(retry);
    retry = setTimeout(() => {
      open().then(onReconnect, scheduleRetry);
    }, 200);
  };

  await open();
  return {
    connected: () => client !== undefined,
    heard: () => heard,
    close: async () => {
      closed = true;
      clearTimeout(retry);
      // Given up before the end, which PostgreSQL may notice later than whoever starts next asks.
      await client?.query("select pg_advisory_unlock_all()").catch(() => undefined);
      await client?.end();
    },
  };
}
