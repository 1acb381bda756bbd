// Who has which record open, across all processes. Each process announces arrivals and departures, and from time to time
// everything it knows; entries that are not repeated expire. In memory only. Who gets to see it is decided in read-presence.ts.
import { randomUUID } from "node:crypto";
import { z } from "zod";

export type Doing = "view" | "edit";

export interface Place {
  readonly organizationId: string;
  readonly recordType: string;
  readonly id: string;
}

/** One screen of one person: it is at one record at a time. */
export interface Screen {
  readonly organizationId: string;
  readonly userId: string;
  readonly tab: string;
}

export interface Visitors {
  readonly doing: ReadonlyMap<string, Doing>;
  /** Another one when somebody comes, goes or begins to edit. */
  readonly mark: string;
}

export interface Presence {
  /** The screen shows this record from now on, or none. Call what it gives at the end: it stays for a moment, so that whoever asks again was there all the time. */
  enter(screen: Screen, place: Place | undefined, doing: Doing): () => void;
  at(place: Place): Visitors;
  /** Calls back when somebody comes, goes or begins to edit. Gives what ends it. */
  watch(place: Place, wake: () => void): () => void;
  /** Takes what a process says, its own words too. */
  hear(message: string): void;
  close(): void;
}

const LINGER_MS = 4_000;
const TELL_AFTER_MS = 150;
const REPEAT_EVERY_MS = 10_000;
const BELIEVED_MS = 25_000;
const MOST_SCREENS = 5_000;
const MOST_OF_ONE = 20;
/** Of all processes. */
const MOST_KNOWN = 50_000;
/** PostgreSQL takes less than 8,000 bytes. */
const MOST_BYTES = 7_500;

const newsSchema = z.object({
  from: z.string(),
  /** Place, screen, user, and what they do: nothing, view or edit. */
  are: z.array(z.tuple([z.string(), z.string(), z.string(), z.enum(["", "view", "edit"])])),
});
type News = z.output<typeof newsSchema>["are"][number];

interface Visit {
  readonly place: string;
  readonly userId: string;
  readonly doing: Doing;
  /** Requests that are open for it. */
  open: number;
  ending: NodeJS.Timeout | undefined;
}

interface Known {
  readonly userId: string;
  readonly doing: Doing;
  readonly until: number;
}

const keyOf = ({ organizationId, recordType, id }: Place): string => `${organizationId} ${recordType} ${id}`;

export function createPresence(tell: (message: string) => void): Presence {
  const own = randomUUID().slice(0, 8);
  /** By screen. */
  const visits = new Map<string, Visit>();
  const screensOf = new Map<string, number>();
  /** By place, then by process and screen. */
  const known = new Map<string, Map<string, Known>>();
  const watchers = new Map<string, Set<() => void>>();
  const untold = new Map<string, News>();
  let size = 0;
  let telling: NodeJS.Timeout | undefined;

  function put(place: string, source: string, one: Known | undefined): void {
    const there = known.get(place) ?? new Map<string, Known>();
    const before = there.get(source);
    if (one === undefined) {
      if (!there.delete(source)) return;
      size -= 1;
      if (there.size === 0) known.delete(place);
    } else {
      if (before === undefined && size >= MOST_KNOWN) return;
      there.set(source, one);
      known.set(place, there);
      if (before === undefined) size += 1;
    }
    if (before?.doing !== one?.doing) for (const wake of [...(watchers.get(place) ?? [])]) wake();
  }

  function tellSoon(news: News): void {
    untold.set(`${news[0]} ${news[1]}`, news);
    telling ??= setTimeout(flush, TELL_AFTER_MS).unref();
  }

  function flush(): void {
    telling = undefined;
    let are: News[] = [];
    let bytes = 0;
    const send = (): void => {
      if (are.length > 0) tell(JSON.stringify({ from: own, are }));
      are = [];
      bytes = 0;
    };
    for (const news of untold.values()) {
      const length = Buffer.byteLength(JSON.stringify(news)) + 1;
      if (bytes + length > MOST_BYTES) send();
      are.push(news);
      bytes += length;
    }
    send();
    untold.clear();
  }

  function note(screen: string, { place, userId, doing }: Visit, isThere: boolean): void {
    put(place, `${own} ${screen}`, isThere ? { userId, doing, until: Number.POSITIVE_INFINITY } : undefined);
    tellSoon([place, screen, userId, isThere ? doing : ""]);
  }

  function end(screen: string): void {
    const visit = visits.get(screen);
    if (!visit) return;
    clearTimeout(visit.ending);
    visits.delete(screen);
    const left = (screensOf.get(visit.userId) ?? 1) - 1;
    if (left > 0) screensOf.set(visit.userId, left);
    else screensOf.delete(visit.userId);
    note(screen, visit, false);
  }

  function leave(screen: string, visit: Visit): void {
    visit.open -= 1;
    if (visit.open > 0 || visits.get(screen) !== visit) return;
    visit.ending = setTimeout(() => end(screen), LINGER_MS).unref();
  }

  const repeating = setInterval(() => {
    const now = performance.now();
    for (const [place, there] of known)
      for (const [source, { until }] of there) if (until < now) put(place, source, undefined);
    for (const [screen, { place, userId, doing }] of visits) tellSoon([place, screen, userId, doing]);
  }, REPEAT_EVERY_MS).unref();

  return {
    enter({ organizationId, userId, tab }, at, doing) {
      const screen = `${organizationId} ${userId} ${tab}`;
      const place = at && keyOf(at);
      const before = visits.get(screen);
      if (before && (before.place !== place || before.doing !== doing)) end(screen);
      if (place === undefined) return () => undefined;
      let visit = visits.get(screen);
      if (!visit) {
        const screens = screensOf.get(userId) ?? 0;
        if (visits.size >= MOST_SCREENS || screens >= MOST_OF_ONE) return () => undefined;
        screensOf.set(userId, screens + 1);
        visit = { place, userId, doing, open: 0, ending: undefined };
        visits.set(screen, visit);
        note(screen, visit, true);
      }
      clearTimeout(visit.ending);
      visit.open += 1;
      const entered = visit;
      let isIn = true;
      return () => {
        if (isIn) leave(screen, entered);
        isIn = false;
      };
    },
    at(place) {
      const doing = new Map<string, Doing>();
      for (const one of known.get(keyOf(place))?.values() ?? []) {
        if (doing.get(one.userId) !== "edit") doing.set(one.userId, one.doing);
      }
      return { doing, mark: [...doing].map((one) => one.join(" ")).join(";") };
    },
    watch(place, wake) {
      const key = keyOf(place);
      const waking = watchers.get(key) ?? new Set();
      watchers.set(key, waking.add(wake));
      return () => {
        waking.delete(wake);
        if (waking.size === 0 && watchers.get(key) === waking) watchers.delete(key);
      };
    },
    hear(message) {
      const { from, are } = newsSchema.parse(JSON.parse(message));
      if (from === own) return;
      const until = performance.now() + BELIEVED_MS;
      for (const [place, screen, userId, doing] of are) {
        put(place, `${from} ${screen}`, doing === "" ? undefined : { userId, doing, until });
      }
    },
    close() {
      clearInterval(repeating);
      for (const screen of [...visits.keys()]) end(screen);
      clearTimeout(telling);
      flush();
    },
  };
}
