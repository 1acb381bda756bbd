// The Idempotency-Keys of writes that have no answer yet: sent again as it was, such a write goes under the same key, and
// the service writes it once. A write that was answered is over: the same content is then a new one.

/** Where the keys outlive the page: a text, of one person. */
export interface PendingWriteStore {
  read(): string | null;
  write(text: string | null): void;
}

export interface PendingWrites {
  /** The key to send this content under. */
  begin(content: string): string;
  /** The service has said what became of it. */
  settle(key: string): void;
  /** Nobody knows what became of it. */
  leaveOpen(key: string): void;
}

interface Open {
  readonly content: string;
  readonly key: string;
  readonly since: number;
}

/** The service keeps answers for a day; by then nobody goes on with what they tried. */
const LIFE = 3_600_000;
const MOST = 50;

export function createPendingWrites(store: PendingWriteStore, now: () => number = Date.now): PendingWrites {
  /** Two of the same content at the same time are two writes. */
  const underWay = new Set<string>();
  const read = (): readonly Open[] => {
    try {
      // Written below alone.
      const all = JSON.parse(store.read() ?? "[]") as readonly Open[];
      return all.filter(({ since }) => now() - since < LIFE);
    } catch {
      return [];
    }
  };
  const write = (all: readonly Open[]): void => store.write(all.length === 0 ? null : JSON.stringify(all.slice(-MOST)));
  return {
    begin(sent) {
      const content = digest(sent);
      const open = read();
      const known = open.find((one) => one.content === content && !underWay.has(one.key));
      const key = known?.key ?? newKey();
      underWay.add(key);
      if (known === undefined) write([...open, { content, key, since: now() }]);
      return key;
    },
    settle(key) {
      underWay.delete(key);
      write(read().filter((one) => one.key !== key));
    },
    leaveOpen(key) {
      underWay.delete(key);
    },
  };
}

/** crypto.randomUUID is there only under https. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Tells contents apart, and tells nobody what they are. */
function digest(content: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < content.length; at += 1) {
    const code = content.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  return `${content.length}.${(one >>> 0).toString(36)}.${(other >>> 0).toString(36)}`;
}
