// Keeps, for long lists in the order of creation, how many rows of each day the caller may read: a jump goes to its day
// and counts on from there. A write makes its day old, not the list; what is old is counted again when it is asked for.
import type { Database } from "../../database/database.ts";
import { apartFromClient } from "../../database/scope.ts";
import { Recent } from "../../lib/memory/recent.ts";
import type { ReadablePlan } from "../../plan/readable-plan.ts";
import type { Boundary } from "../../query/compile-list.ts";
import { countDays, countOneDay, dayVersions, everyNthRow } from "../../query/day-rows.ts";

/** Where to begin, and how many rows to pass over from there. */
export interface Place {
  readonly boundary: Boundary;
  readonly offset: number;
}

export interface DayCounts {
  /** Undefined while the days are not counted yet. `total` counts the rows of the list as they are then. */
  locate(plan: ReadablePlan, offset: number, total: () => Promise<number>): Promise<Place | undefined>;
}

interface Day {
  readonly version: string;
  readonly count: number;
  /** Of a long day: every so-many-th row from the last or from the first. Made when it is first asked for. */
  readonly marks: { descending?: readonly Mark[]; ascending?: readonly Mark[] };
}

/** Creation time and id of a row. */
type Mark = readonly [created: string, id: string];

interface Days {
  /** Of changes that may have been on any day. */
  readonly anyDay: string;
  /** From the first to the last. */
  readonly byDay: Map<string, Day>;
}

const ANY_DAY = "-infinity";
const MAX_KEPT = 200;
/** More days than this changed: all are counted again. */
const MOST_OLD = 30;
/** Days with more rows get marks, so many rows apart. */
const LONG_DAY = { rows: 10_000, step: 1_000 } as const;

export function createDayCounts(
  db: Database,
  long: { readonly rows: number; readonly step: number } = LONG_DAY,
): DayCounts {
  /** By what may be read: whoever may read the same sets has the same days. */
  const kept = new Recent<string, Days>(MAX_KEPT);
  const making = new Set<string>();

  /** Nobody waits for it: until it is there, rows are passed over one by one. */
  const inBackground = (key: string, work: () => Promise<void>): void => {
    if (making.has(key)) return;
    making.add(key);
    apartFromClient(work)
      .catch(() => undefined)
      .finally(() => making.delete(key));
  };

  const countAll = async (key: string, plan: ReadablePlan): Promise<void> => {
    const rows = await db.bytes(countDays(plan));
    const byDay = new Map<string, Day>();
    let anyDay = "0";
    for (const [day, version, count] of rows.toArrays()) {
      if (day === ANY_DAY) anyDay = version ?? "0";
      else byDay.set(day ?? "", { version: version ?? "0", count: Number(count), marks: {} });
    }
    kept.set(key, { anyDay, byDay });
  };

  const readVersions = async (plan: ReadablePlan): Promise<ReadonlyMap<string, string>> => {
    const rows = await db.prepared(dayVersions(plan));
    return new Map(rows.map(([day, version]) => [day ?? "", version ?? "0"]));
  };

  /**
   * Whether every day is as it is now; counts again what is not, where that is little. Versions are read before rows are
   * counted: what is written in between makes the day old again.
   */
  const renew = async (days: Days, plan: ReadablePlan, total: () => Promise<number>): Promise<boolean> => {
    const versions = await readVersions(plan);
    if ((versions.get(ANY_DAY) ?? "0") !== days.anyDay) return false;
    const old = [...versions].filter(([day, version]) => day !== ANY_DAY && days.byDay.get(day)?.version !== version);
    if (old.length > MOST_OLD) return false;
    const isNew = old.some(([day]) => !days.byDay.has(day));
    for (const [day, version] of old) {
      const count = old.length === 1 ? (await total()) - countWithout(days, day) : await countOne(plan, day);
      days.byDay.set(day, { version, count: Math.max(0, count), marks: {} });
    }
    if (isNew) sortDays(days.byDay);
    return true;
  };

  const countOne = async (plan: ReadablePlan, day: string): Promise<number> =>
    Number((await db.prepared(countOneDay(plan, day)))[0]?.[0] ?? 0);

  const findMarks = (key: string, plan: ReadablePlan, name: string, day: Day): readonly Mark[] => {
    const order = isDescending(plan) ? "descending" : "ascending";
    if (day.marks[order] === undefined && day.count > long.rows) {
      inBackground(`${key} ${name} ${order}`, async () => {
        const rows = await db.bytes(everyNthRow(plan, name, long.step));
        day.marks[order] = rows.toArrays().map(([created, id]) => [created ?? "", id ?? ""]);
      });
    }
    return day.marks[order] ?? [];
  };

  return {
    locate: async (plan, offset, total) => {
      const { scope, access } = plan;
      const whose = access.view.readable === undefined ? "everything" : access.view.readableText;
      const key = `${scope.caller.organizationId} ${scope.type.key} ${whose}`;
      const days = kept.get(key);
      if (!days || !(await renew(days, plan, total))) {
        inBackground(key, () => countAll(key, plan));
        return undefined;
      }
      const descending = isDescending(plan);
      const found = dayAt(days.byDay, offset, descending);
      if (!found) return undefined;
      const marks = findMarks(key, plan, found.name, found.day);
      const passed = Math.min(Math.floor(found.offset / long.step), marks.length);
      const mark = marks[passed - 1];
      const values = mark ?? [descending ? dayAfter(found.name) : found.name, null];
      return { boundary: { values, side: "after" }, offset: found.offset - passed * long.step };
    },
  };
}

const isDescending = (plan: ReadablePlan): boolean => plan.order[0]?.descending ?? true;

const countWithout = ({ byDay }: Days, without: string): number => {
  let sum = 0;
  for (const [day, { count }] of byDay) if (day !== without) sum += count;
  return sum;
};

function sortDays(byDay: Map<string, Day>): void {
  const sorted = [...byDay].sort(([a], [b]) => (a < b ? -1 : 1));
  byDay.clear();
  for (const [name, day] of sorted) byDay.set(name, day);
}

function dayAt(byDay: ReadonlyMap<string, Day>, offset: number, descending: boolean) {
  let left = offset;
  const days = [...byDay];
  for (const [name, day] of descending ? days.reverse() : days) {
    if (left < day.count) return { name, day, offset: left };
    left -= day.count;
  }
  return undefined;
}

const DAY_MS = 86_400_000;

const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
