// Notes how long each list took, in memory, and adds that to core__view_times every few seconds in one statement; then tells which
// indexes people lacked. What a killed process had not written yet is lost: these are figures, not records.
import type { Logger } from "pino";
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { bucketOf } from "./buckets.ts";

export interface NotedList {
  readonly organizationId: string;
  readonly recordType: string;
  /** Empty: a list that names its own fields or groups. */
  readonly view: string;
  readonly ms: number;
  /** The field whose index would have helped. */
  readonly wanted: string | undefined;
  /** The person who wanted it; undefined: a program did. */
  readonly personId?: string | undefined;
}

/** Somebody lacked an index: counted once, however many lists it was between two writings. */
export interface Wish {
  readonly recordType: string;
  readonly field: string;
}

export interface ViewTimes {
  note(list: NotedList): void;
  /** Writes what was noted. */
  close(): Promise<void>;
}

/** A service that keeps no figures. */
export const noViewTimes: ViewTimes = { note: () => undefined, close: async () => undefined };

/** A week and the day that has begun. */
const KEPT_DAYS = 8;
const WRITE_EVERY_MS = 10_000;
/** Different entries that one organization can have noted between two writings; what is past that is not counted. */
const MOST_ENTRIES = 2_000;

type Entries = Map<string, { readonly list: NotedList; readonly bucket: number; count: number }>;

/** `tell` does not fail. */
export function keepViewTimes(
  database: Database,
  log: Pick<Logger, "debug">,
  tell: (wishes: readonly Wish[]) => Promise<void> = async () => undefined,
): ViewTimes {
  let noted = new Map<string, Entries>();
  let wishes = new Map<string, Wish>();
  let writing: Promise<void> = Promise.resolve();
  let sweptOn: string | undefined;

  const add = (list: NotedList, bucket: number, count: number): void => {
    const entries: Entries = noted.get(list.organizationId) ?? new Map();
    noted.set(list.organizationId, entries);
    const key = [list.recordType, list.view, bucket, list.wanted ?? ""].join(" ");
    const entry = entries.get(key);
    if (entry) entry.count += count;
    else if (entries.size < MOST_ENTRIES) entries.set(key, { list, bucket, count });
  };

  const write = async (): Promise<void> => {
    const now = [...noted.values()].flatMap((entries) => [...entries.values()]);
    noted = new Map();
    const wished = [...wishes.values()];
    wishes = new Map();
    try {
      if (now.length > 0) await store(database, now);
      const today = new Date().toISOString().slice(0, 10);
      if (sweptOn !== today) {
        await database.run(sql`delete from core__view_times where day <= ${today}::date - ${KEPT_DAYS}::integer`);
        sweptOn = today;
      }
    } catch (error) {
      for (const { list, bucket, count } of now) add(list, bucket, count);
      log.debug(error, "the times of views are written later");
    }
    if (wished.length > 0) await tell(wished);
  };
  const writeNext = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };
  const timer = setInterval(writeNext, WRITE_EVERY_MS).unref();
  return {
    note: (list) => {
      add(list, bucketOf(list.ms), 1);
      const { recordType, wanted: field, personId } = list;
      if (field === undefined || personId === undefined || wishes.size >= MOST_ENTRIES) return;
      wishes.set([personId, recordType, field].join(" "), { recordType, field });
    },
    close: async () => {
      clearInterval(timer);
      await writeNext();
    },
  };
}

/** In the order of the key: processes that write at once do not wait for each other in a circle. */
async function store(database: Database, entries: readonly { list: NotedList; bucket: number; count: number }[]) {
  const column = (of: (entry: (typeof entries)[number]) => string) => entries.map(of);
  await database.run(sql`
    insert into core__view_times (organization_id, day, record_type, view, bucket, wanted, lists)
    select o, (now() at time zone 'utc')::date, t, v, b, w, n
    from unnest(${column(({ list }) => list.organizationId)}::bigint[], ${column(({ list }) => list.recordType)}::text[],
      ${column(({ list }) => list.view)}::text[], ${column(({ bucket }) => String(bucket))}::smallint[],
      ${column(({ list }) => list.wanted ?? "")}::text[], ${column(({ count }) => String(count))}::bigint[])
      as given(o, t, v, b, w, n)
    order by 1, 2, 3, 4, 5, 6
    on conflict (organization_id, day, record_type, view, bucket, wanted)
      do update set lists = core__view_times.lists + excluded.lists`);
}
