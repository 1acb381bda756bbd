// What became of this browser's refresh tokens, in IndexedDB: there every tab sees what another one has written, where
// localStorage of another process may be behind by a second. Where it is not to be had, each tab goes by its own memory.
import { newKey } from "../../client/transport/pending-writes.ts";
import type { Renewals } from "../../client/transport/token-keeper.ts";

const DATABASE = "dossier.session";
const STORE = "renewals";
const RECORD = "latest";

interface Latest {
  /** The ends of the tokens that were spent, which is enough to know them by. */
  readonly spent: readonly string[];
  readonly current?: string;
  readonly attempt?: { readonly of: string; readonly key: string };
}

const MOST_SPENT = 50;
const endOf = (token: string): string => token.slice(-20);

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

let memory: Latest = { spent: [] };

/** Reads the record and writes what `change` makes of it, as one step over all tabs. */
async function change(make: (before: Latest) => Latest): Promise<Latest> {
  try {
    const database = await open();
    try {
      return await new Promise<Latest>((resolve, reject) => {
        const transaction = database.transaction(STORE, "readwrite", { durability: "relaxed" });
        const store = transaction.objectStore(STORE);
        let after: Latest = memory;
        const reading: IDBRequest<Latest | undefined> = store.get(RECORD);
        reading.onsuccess = () => {
          after = make(reading.result ?? { spent: [] });
          store.put(after, RECORD);
        };
        transaction.oncomplete = () => resolve(after);
        transaction.onabort = () => reject(transaction.error);
      });
    } finally {
      database.close();
    }
  } catch {
    memory = make(memory);
    return memory;
  }
}

export const renewals: Renewals = {
  begin: async (stored) => {
    let token = stored;
    const { attempt } = await change((before) => {
      token = before.spent.includes(endOf(stored)) ? (before.current ?? stored) : stored;
      const of = endOf(token);
      return { ...before, attempt: before.attempt?.of === of ? before.attempt : { of, key: newKey() } };
    });
    return { token, key: attempt?.key ?? newKey() };
  },
  settle: async (spent, current) => {
    await change((before) => ({ spent: [...before.spent, endOf(spent)].slice(-MOST_SPENT), current }));
  },
  follow: async (token) => {
    const { spent, current } = await change((before) => before);
    return spent.includes(endOf(token)) ? (current ?? token) : token;
  },
  start: (current) => void change(({ spent }) => ({ spent, current })),
};
