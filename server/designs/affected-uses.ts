// Takes a planned design; gives what uses the fields that it removes or converts, and what becomes of each. What the own organization has is
// read as it is with the design, inside its rehearsal; what others have is as it is without it, and read once nobody waits for the tables.
import { type Becomes, type ViewPart, viewPartNames } from "../../contract/field-uses.ts";
import type { Queryable } from "../database/database.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import type { AffectedUse, DesignPlan, Planned } from "./plan-design.ts";

interface UseOfField {
  readonly kind: string;
  readonly controller: string;
  readonly name: string;
  readonly id: string | null;
  readonly count?: number;
  readonly does?: readonly ViewPart[];
  readonly loses?: readonly ViewPart[];
  readonly on_remove: Becomes;
  readonly on_convert: Becomes;
}

export interface AffectedQuestion {
  readonly db: Queryable;
  readonly snapshot: Snapshot;
  readonly after: Snapshot;
  /** What other organizations have is only counted. */
  readonly whose: "own" | "others";
  /** Of performance.now(): what is not found by then is left out. */
  readonly until: number | undefined;
}

/** Everything that uses fields of a type, by field, and what becomes of it by the new design. */
export type ReadUses = (
  question: AffectedQuestion & { readonly key: string; readonly fields: readonly string[] },
) => Promise<{
  readonly byField: Readonly<Record<string, readonly UseOfField[]>>;
  /** Everything was looked into. */
  readonly isComplete: boolean;
}>;

export interface Affected {
  readonly found: readonly AffectedUse[];
  readonly isComplete: boolean;
}

/** What would prevent the design has refused it by then. */
const CHANGING: ReadonlySet<Becomes> = new Set([
  ...(["left_out", "unmet", "turned_off", "may_turn_off", "parts_ignored", "may_ignore_parts"] as const),
]);

export async function readAffected(
  uses: ReadUses,
  { requests, changes }: Planned,
  question: AffectedQuestion,
): Promise<Affected> {
  const found: AffectedUse[] = [];
  let isComplete = true;
  for (const [index, { discard = [], convert = [] }] of requests.entries()) {
    const { key: type = "", renamed = [] } = changes[index] ?? {};
    // What is stored calls a field by the name that it has so far.
    const stored = (name: string): string => renamed.find(({ field }) => field === name)?.from ?? name;
    const changed = [
      ...discard.map((field) => ({ field, from: field, isRemoved: true })),
      ...convert.map((field) => ({ field, from: stored(field), isRemoved: false })),
    ];
    if (changed.length === 0 || !question.snapshot.types.has(type)) continue;
    const read = await uses({ ...question, key: type, fields: changed.map(({ from }) => from) });
    isComplete &&= read.isComplete;
    for (const { field, from, isRemoved } of changed) {
      for (const { does = [], loses = [], count, on_remove, on_convert, ...use } of read.byField[from] ?? []) {
        const becomes = isRemoved ? on_remove : on_convert;
        if (!CHANGING.has(becomes)) continue;
        const counted = count === undefined ? {} : { count };
        const { kind, controller, name, id } = use;
        found.push({ type, field, kind, controller, name, id, ...counted, becomes, loses: isRemoved ? does : loses });
      }
    }
  }
  return { found, isComplete };
}

const MOST_USES = 500;

/** What is only counted is one number for each field. */
export function usesTold(
  own: Affected,
  others: Affected,
): Pick<DesignPlan, "uses" | "uses_left_out" | "uses_complete"> {
  const isSame = (one: AffectedUse, other: AffectedUse): boolean =>
    one.kind === "other" && other.kind === "other" && one.type === other.type && one.field === other.field;
  const all = [
    ...own.found.map((one) => {
      const more = others.found.find((other) => isSame(one, other));
      if (!more) return one;
      const lost = new Set([...one.loses, ...more.loses]);
      const loses = viewPartNames.filter((part) => lost.has(part));
      return { ...one, count: (one.count ?? 0) + (more.count ?? 0), loses };
    }),
    ...others.found.filter((other) => !own.found.some((one) => isSame(one, other))),
  ];
  const isAll = own.isComplete && others.isComplete && all.length <= MOST_USES;
  return {
    uses: all.slice(0, MOST_USES),
    uses_left_out: Math.max(0, all.length - MOST_USES),
    uses_complete: isAll ? 1 : 0,
  };
}
