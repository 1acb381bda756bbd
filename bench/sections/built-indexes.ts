// Has the indexes that lists lack built as the service does by itself: a second process on the same database is sent the lists that
// somebody would open until no list lacks an index any more. What was built is removed again.
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { root } from "../../server/lib/root.ts";
import type { Context } from "../compare.ts";
import { freePort, spawnService } from "../serve/serve.ts";

interface Index {
  readonly field: string;
  readonly state: "building" | "ready" | "failed" | "removing";
  readonly automatic: 0 | 1;
}

/** How often a process writes down what people lacked. */
const WRITES_EVERY_MS = 10_000;
const LOOK_MS = 500;
const INDEXES = "metadata/record_types";
const KEY = "crm/leads";

/** Gives what `measure` gave, and how the indexes came about. `lists`: the addresses, one for each order. */
export async function withBuiltIndexes<T>(
  { served }: Context,
  lists: readonly string[],
  measure: () => Promise<T>,
): Promise<{ readonly measured: T; readonly note: string }> {
  const port = await freePort();
  const second = await spawnService(root, {
    DATABASE_URL: served.url,
    DATA_DIR: path.join(served.folder, "second"),
    TOKEN_SECRET_FILE: path.join(served.folder, "service/secrets/token-secret"),
    PORT: String(port),
    AUTOMATIC_INDEXES: "1",
  });
  const database = new pg.Client(served.connection);
  await database.connect();
  const ask = async (address: string, body?: Record<string, string>) => {
    const headers = { authorization: `Bearer ${served.tokens.administrator}`, "content-type": "application/json" };
    const request = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    const response = await fetch(`http://127.0.0.1:${port}${address}`, request);
    if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
    // Of the interface: tests hold it to that.
    return (await response.json()) as {
      readonly notices?: readonly unknown[];
      readonly data: { indexes: readonly Index[] };
    };
  };
  const indexes = async () => (await ask(`/${INDEXES}/indexes.json?key=${KEY}`)).data.indexes;
  const settled = async (): Promise<readonly Index[]> => {
    const found = await indexes();
    if (found.every(({ state }) => state === "ready")) return found;
    await delay(LOOK_MS);
    return settled();
  };
  try {
    const began = performance.now();
    let sent = 0;
    for (;;) {
      const known = (await settled()).length;
      const lacking: string[] = [];
      for (const list of lists) if ((await ask(list)).notices !== undefined) lacking.push(list);
      sent += lacking.length;
      if (lacking.length === 0) break;
      await delay(WRITES_EVERY_MS + LOOK_MS);
      if ((await settled()).length === known) continue;
      // One a day: the next day comes at once.
      await database.query("update metadata__index_wishes set requested = requested - interval '1 day'");
    }
    const built = await indexes();
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    const measured = await measure();
    const names = built.map(({ field }) => field).join(", ");
    return {
      measured,
      note: `Indexes that the service built by itself (${names}): after ${sent} lists of one person in ${seconds} s. It builds one a day for each record type; the benchmark lets the days between pass at once.`,
    };
  } finally {
    for (const { field, automatic } of await indexes().catch(() => []))
      if (automatic === 1) await ask(`/${INDEXES}/remove_index.json`, { key: KEY, field });
    await settled().catch(() => undefined);
    await database.end();
    await second.stop();
  }
}
