// What this page writes itself: which records, and whether something is still on its way. Told by the address of a write and
// the answer to it; never by who wrote.
import type { CallOptions } from "../../client/transport/transport.ts";

/** The feed tells of a write this soon after it was answered. */
const NEWS_MS = 5_000;
/** Nobody waits longer for one that is not answered. */
const MOST_WAIT_MS = 5_000;

export interface OwnWrites {
  /** A call that writes, as it starts. */
  begin(path: string, sent: Pick<CallOptions, "query" | "body">, answer: Promise<unknown>): void;
  /** For as long, the screen shows what is not saved yet. */
  during(work: Promise<unknown>): void;
  isOwn(controller: string | null, id: string | null): boolean;
  /** Once nothing is on its way. */
  settled(): Promise<void>;
}

export function createOwnWrites(now: () => number = () => performance.now()): OwnWrites {
  const written = new Map<string, number>();
  const underWay = new Set<Promise<unknown>>();
  const during = (work: Promise<unknown>): void => {
    const done = work.then(
      () => undefined,
      () => undefined,
    );
    underWay.add(done);
    void done.then(() => underWay.delete(done));
  };
  return {
    during,
    begin(path, { query, body }, answer) {
      const controller = path.split("/").slice(0, 2).join("/");
      during(
        answer.then((answered) => {
          for (const [key, at] of written) if (now() - at > NEWS_MS) written.delete(key);
          for (const id of [...idsIn({ data: { query } }), ...idsIn(body), ...idsIn(answered)]) {
            written.set(`${controller} ${id}`, now());
          }
        }),
      );
    },
    isOwn: (controller, id) => now() - (written.get(`${controller} ${id}`) ?? Number.NEGATIVE_INFINITY) <= NEWS_MS,
    async settled() {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, MOST_WAIT_MS);
      });
      await Promise.race([Promise.all(underWay), late]);
      clearTimeout(timer);
    },
  };
}

/** Of the records that a body holds under `data`. */
function idsIn(body: unknown): readonly string[] {
  const data = partsOf(body).find(([name]) => name === "data")?.[1];
  return partsOf(data).flatMap(([, record]) => {
    const id = partsOf(record).find(([name]) => name === "id")?.[1];
    return typeof id === "string" || typeof id === "number" ? [String(id)] : [];
  });
}

const partsOf = (value: unknown): readonly [string, unknown][] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];
