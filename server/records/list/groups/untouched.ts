// Knows whether the records that somebody may read stayed the same while others were written: what was computed for who reads
// few of them still holds then. One question for each caller and write, however many charts ask.
import { readerOf, rightsOf } from "../../../access/caller.ts";
import type { Database } from "../../../database/database.ts";
import { apartFromClient, patiently } from "../../../database/scope.ts";
import { Recent } from "../../../lib/memory/recent.ts";
import type { RowsPlan } from "../../../plan/plan-rows.ts";
import { MOST_MOVED } from "../../../query/moved-rows.ts";
import { touchedRows } from "../../../query/touched-rows.ts";

export interface Untouched {
  /** From one version of the plan's table up to another one, or a later one. */
  holds(plan: RowsPlan, from: number, to: number): Promise<boolean>;
}

/** Between these versions of a table nothing changed that the caller may read; the snapshot is of the later one. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly snapshot: string;
}

const MAX_KEPT = 1_000;

export function createUntouched(db: Database): Untouched {
  const spans = new Recent<string, Span>(MAX_KEPT);
  const looking = new Map<string, Promise<Span>>();

  const look = async (key: string, plan: RowsPlan, now: number): Promise<Span> => {
    const known = spans.get(key);
    const last = known && now - known.to <= MOST_MOVED ? known : undefined;
    const [row = []] = await db.prepared(touchedRows(plan, last?.snapshot ?? null));
    const [version, snapshot, entries, touched] = row;
    const to = Number(version);
    // Changes that are not told of, such as those of large jobs, may have touched anything.
    const isSame = last !== undefined && touched === "0" && Number(entries) === to - last.to;
    const span = { from: isSame ? last.from : to, to, snapshot: snapshot ?? "" };
    spans.set(key, span);
    return span;
  };

  /** The span up to that version, at least. */
  const reach = async (key: string, plan: RowsPlan, to: number): Promise<Span> => {
    const known = spans.get(key);
    if (known && known.to >= to) return known;
    // Who looks already may have begun before that version was there.
    const begun = looking.get(key);
    if (begun) {
      const span = await patiently(begun);
      if (span.to >= to) return span;
      return reach(key, plan, to);
    }
    const own = apartFromClient(() => look(key, plan, to)).finally(() => looking.delete(key));
    looking.set(key, own);
    return patiently(own);
  };

  return {
    holds: async (plan, from, to) => {
      const { caller, type } = plan.scope;
      const key = `${caller.organizationId} ${readerOf(caller)} ${rightsOf(caller)} ${type.key}`;
      const span = await reach(key, plan, to);
      return span.from <= from && to <= span.to;
    },
  };
}
