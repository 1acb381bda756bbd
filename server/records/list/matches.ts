// Counts, and adds up columns of, the rows that a list matches: once by access set for all callers. Kept with the snapshot
// that it was read in; when records have changed since, what they were is taken off and what they are is added. Counts of
// filtered lists and column totals are sums over these.
import { ACL_SETS } from "../../access/acl-sets.ts";
import { readerOf, rightsOf } from "../../access/caller.ts";
import { isDistributed } from "../../database/citus/places.ts";
import type { Database } from "../../database/database.ts";
import type { VersionedTable } from "../../database/versions.ts";
import { decimalSum } from "../../lib/exact-math.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { RowsPlan } from "../../plan/plan-rows.ts";
import type { ReadablePlan } from "../../plan/readable-plan.ts";
import { tablesRead } from "../../plan/tables-read.ts";
import {
  compileMatches,
  compileMoved,
  readSetSums,
  type SetSums,
  type SummedColumn,
} from "../../query/compile-matches.ts";
import { MOST_MOVED } from "../../query/moved-rows.ts";
import { createVersionedCache, type Kept, type LastMade } from "./versioned-cache.ts";

export interface MatchesBySet {
  readonly sets: readonly SetSums[];
  /** PostgreSQL's text of the snapshot that saw them. */
  readonly snapshot: string;
}

export interface Matches {
  /** What is known and still holds; `versionOf` gives the version of a table as the list's own statement saw it. */
  find(plan: RowsPlan, columns: readonly SummedColumn[], versionOf: VersionOf): MatchesBySet | undefined;
  /** What was known, brought up to date by the records that changed; undefined where that is not known or too much. */
  renew(plan: RowsPlan, columns: readonly SummedColumn[], versionOf: VersionOf): Promise<MatchesBySet | undefined>;
  /** What was last known, whether it still holds or not. */
  last(plan: RowsPlan, columns: readonly SummedColumn[]): LastMade<MatchesBySet> | undefined;
  make(plan: RowsPlan, columns: readonly SummedColumn[]): Promise<MatchesBySet>;
}

export type VersionOf = (recordType: string) => string;

const MAX_KEPT = 2_000;

const isShared = (type: RecordType): boolean => type.scope === "shared";

/** Through an association, what matches depends on what the caller may read there: the answer is its own. */
const isOwn = (plan: RowsPlan, columns: readonly SummedColumn[]): boolean =>
  plan.throughAssociations || columns.some(({ ref }) => ref.steps.length > 0);

function tablesOf(plan: RowsPlan, columns: readonly SummedColumn[]): VersionedTable[] {
  const { type, caller } = plan.scope;
  const { organizationId } = caller;
  const refs = columns.map(({ ref }) => ref);
  const types = [type, ...tablesRead(refs, [plan.filter, ...plan.shown])];
  return [
    ...(isOwn(plan, columns) ? [{ organizationId, recordType: ACL_SETS }] : []),
    ...types.map((one) => ({ organizationId: isShared(one) ? "0" : organizationId, recordType: one.key })),
  ];
}

const keyOf = (plan: RowsPlan, columns: readonly SummedColumn[]): string => {
  const { type, caller } = plan.scope;
  const whose = isOwn(plan, columns)
    ? `${caller.organizationId} ${readerOf(caller)} ${rightsOf(caller)}`
    : caller.organizationId;
  return `${whose} ${type.key} ${plan.rowsKey} ${columns.map(({ ref, currency, isCounted }) => `${isCounted ? "n " : ""}${ref.name} ${currency?.name ?? ""}`).join()}`;
};

export function createMatches(db: Database): Matches {
  const kept = createVersionedCache<MatchesBySet>(MAX_KEPT, "counts_and_totals");

  const read = async (plan: RowsPlan, columns: readonly SummedColumn[]): Promise<Kept<MatchesBySet>> => {
    const { rows } = await db.run(compileMatches(plan, columns, tablesOf(plan, columns)));
    const sets = rows.flatMap(([, , ...row]) => readSetSums(columns, row) ?? []);
    const [version, snapshot] = rows[0] ?? [];
    return { version: version ?? "", value: { sets, snapshot: snapshot ?? "" } };
  };

  const moved = async (
    plan: RowsPlan,
    columns: readonly SummedColumn[],
    known: Kept<MatchesBySet>,
  ): Promise<Kept<MatchesBySet> | undefined> => {
    const { rows } = await db.run(compileMoved(plan, columns, tablesOf(plan, columns), known.value.snapshot));
    const [version, snapshot, entries] = rows[0] ?? [];
    // Every entry since then must be told of, or something else has happened.
    if (version == null || snapshot == null || Number(version) - Number(known.version) !== Number(entries))
      return undefined;
    const sets = addSets(
      known.value.sets,
      rows.flatMap(([, , , side, ...row]) => {
        const sums = readSetSums(columns, row);
        return sums ? [{ side: side === "1" ? 1 : -1, sums } as const] : [];
      }),
    );
    return sets && { version, value: { sets, snapshot } };
  };

  return {
    find: (plan, columns, versionOf) => {
      const version = tablesOf(plan, columns).map((table) => versionOf(table.recordType));
      return kept.find(keyOf(plan, columns), version.join(" "));
    },
    renew: async (plan, columns, versionOf) => {
      const key = keyOf(plan, columns);
      const known = kept.last(key);
      // Snapshots of another machine say nothing about transactions of this one.
      if (await isDistributed(db)) return undefined;
      // Words are looked for in a column that is worked out from others, which nothing is told of.
      if (!known || plan.words.length > 0 || tablesOf(plan, columns).length > 1) return undefined;
      if (Number(versionOf(plan.scope.type.key)) - Number(known.version) > MOST_MOVED) return undefined;
      const renewed = await kept.advance(key, () => moved(plan, columns, known));
      return renewed?.value;
    },
    last: (plan, columns) => kept.last(keyOf(plan, columns)),
    make: async (plan, columns) => (await kept.make(keyOf(plan, columns), () => read(plan, columns))).value,
  };
}

interface Moved {
  readonly side: 1 | -1;
  readonly sums: SetSums;
}

const negative = (text: string): string => (text.startsWith("-") ? text.slice(1) : `-${text}`);

/** Undefined where more is taken off than there was: then something else has happened. */
function addSets(known: readonly SetSums[], moved: readonly Moved[]): readonly SetSums[] | undefined {
  const keyOfSet = ({ aclId, currencies }: SetSums): string => `${aclId} ${currencies.join()}`;
  const sets = new Map(known.map((set) => [keyOfSet(set), set]));
  for (const { side, sums: one } of moved) {
    const before = sets.get(keyOfSet(one));
    const values = one.values.map((count, index) => (before?.values[index] ?? 0) + side * count);
    sets.set(keyOfSet(one), {
      aclId: one.aclId,
      currencies: one.currencies,
      count: (before?.count ?? 0) + side * one.count,
      values,
      sums: one.sums.map((sum, index) => {
        if (values[index] === 0) return null;
        return decimalSum([before?.sums[index] ?? "0", side === 1 ? (sum ?? "0") : negative(sum ?? "0")]);
      }),
    });
  }
  const all = [...sets.values()];
  return all.some(({ count, values }) => count < 0 || values.some((one) => one < 0)) ? undefined : all;
}

function readableSets({ sets }: MatchesBySet, { access: { view } }: ReadablePlan): readonly SetSums[] {
  const { readable } = view;
  return readable === undefined ? sets : sets.filter(({ aclId }) => readable.has(aclId));
}

export const countMatches = (matches: MatchesBySet, plan: ReadablePlan): number =>
  readableSets(matches, plan).reduce((sum, { count }) => sum + count, 0);

/** Of each column: the exact sums by the id of their currency ("" where the records name none). */
export function sumMatches(matches: MatchesBySet, plan: ReadablePlan, columns: number): ReadonlyMap<string, string>[] {
  const sets = readableSets(matches, plan);
  return Array.from({ length: columns }, (_, index) => {
    const byCurrency = new Map<string, string>();
    for (const { sums, currencies } of sets) {
      const sum = sums[index] ?? null;
      const id = currencies[index] ?? "";
      if (sum !== null) byCurrency.set(id, decimalSum([byCurrency.get(id) ?? "0", sum]));
    }
    return byCurrency;
  });
}
