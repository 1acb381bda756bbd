// What an API key is limited to, as data: by record type, the columns of the role matrix that it may use at most. It gives nothing:
// what the key's user may do is narrowed by it (rule.ts), everywhere at once. Pure.

import { createHash } from "node:crypto";
import { z } from "zod";
import { type MatrixOperation, matrixOperations } from "../../../contract/permissions.ts";
import type { RecordType, RecordTypeKey } from "../../metadata/record-type.ts";

/** By record type, or `*` for all types without an entry of their own. */
export type KeyLimits = ReadonlyMap<RecordTypeKey | "*", ReadonlySet<MatrixOperation>>;

/** Whoever may be limited: those without limits may do whatever else allows them. */
export interface Limited {
  readonly limits?: KeyLimits | undefined;
}

/** As they are kept. */
export const limitsSchema = z.record(z.string(), z.array(z.enum(matrixOperations)));

export const limitsOf = (kept: z.infer<typeof limitsSchema>): KeyLimits =>
  new Map(Object.entries(kept).map(([key, operations]) => [key, new Set(operations)]));

/** Equal for limits that allow the same. */
export function printOf(limits: KeyLimits): string {
  const facts = [...limits].map(([key, operations]) => [key, [...operations].sort()]).sort(byFirst);
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 12);
}

const byFirst = ([a]: readonly unknown[], [b]: readonly unknown[]): number => (String(a) < String(b) ? -1 : 1);

const entryOf = (limits: KeyLimits, key: string): ReadonlySet<MatrixOperation> | undefined =>
  limits.get(key) ?? limits.get("*");

export const limitsAllow = ({ limits }: Limited, key: string, operation: MatrixOperation): boolean =>
  limits === undefined || (entryOf(limits, key)?.has(operation) ?? false);

/** Whether the names of users, groups or roles may be told. What everybody knows has no entry. */
export const mayKnowNames = ({ limits }: Limited, kind: string): boolean =>
  limits === undefined || !named.has(kind) || (entryOf(limits, `access_controls/${kind}s`)?.size ?? 0) > 0;
const named: ReadonlySet<string> = new Set(["user", "group", "role"]);

/** Jobs are about the records that they work on: who may use a key on those looks at the jobs. */
const ofTheService = "core/jobs";

/** What stands beside records of every type: stages, categories, currencies. Known by name, and no more than that. */
const besideRecords: ReadonlySet<string> = new Set(["core", "masters"]);
const isBeside = (type: RecordType): boolean =>
  type.scope === "shared" || type.isSetup || (type.origin === "built-in" && besideRecords.has(type.module));

/**
 * Which records of a type there are for a key. `subjects`: those attached to records of types that it may use; `about`: those that
 * say they are about such records.
 */
export type Reach = "all" | "subjects" | "about" | "none";

export function reachOf({ limits }: Limited, type: RecordType): Reach {
  if (limits === undefined) return "all";
  if (type.follows !== undefined || type.about?.needs !== undefined) return "subjects";
  if ((entryOf(limits, type.key)?.size ?? 0) > 0) return "all";
  if (type.key === ofTheService) return "about";
  return isBeside(type) ? "all" : "none";
}

/** Whether the limits leave an operation that the matrix allows. */
export function isWithinLimits(
  person: Limited,
  type: RecordType,
  operation: MatrixOperation,
  { reads, isOfTheRecord }: { readonly reads: boolean; readonly isOfTheRecord: boolean },
): boolean {
  if (person.limits === undefined || limitsAllow(person, type.key, operation)) return true;
  if (reachOf(person, type) === "about") return operation === "view";
  // What all organizations share is no secret; what is attached to a record is asked about there.
  return (type.scope === "shared" && reads) || (type.follows !== undefined && isOfTheRecord);
}

/** The types for which one of the operations is allowed otherwise than for all the rest, and what holds for the rest. */
export function typesAllowed(
  person: Limited,
  operations: readonly MatrixOperation[],
): { readonly rest: boolean; readonly except: readonly RecordTypeKey[] } {
  const allows = (key: string): boolean => operations.some((operation) => limitsAllow(person, key, operation));
  const rest = allows("*");
  const named = [...(person.limits?.keys() ?? [])].filter((key) => key !== "*" && allows(key) !== rest);
  return { rest, except: named.sort() };
}
