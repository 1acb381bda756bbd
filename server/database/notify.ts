// Takes a channel; calls back for each message of any process, and once more after a broken connection came back,
// because messages may have been missed: whoever keeps a cache then starts anew.
import pg from "pg";
import { clientConfig, type Queryable } from "./database.ts";
import { sql } from "./sql.ts";

export type Channel = "dossier_metadata" | "dossier_access" | "dossier_mail" | "dossier_jobs" | "dossier_indexes";

export interface Listener {
  /** False while messages can be missed: caches must not be trusted. */
  readonly connected: () => boolean;
  close(): Promise<void>;
}

export const notify = async (db: Queryable, channel: Channel, payload: string): Promise<void> => {
  await db.run(sql`select pg_notify(${channel}, ${payload})`);
};

export async function listen(
  connection: pg.ClientConfig,
  channels: readonly Channel[],
  onMessage: (channel: Channel, payload: string) => void,
  onReconnect: () => void,
): Promise<Listener> {
  let client: pg.Client | undefined;
  let closed = false;
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
      if (channel) onMessage(channel, message.payload ?? "");
    });
    await fresh.connect();
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
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
