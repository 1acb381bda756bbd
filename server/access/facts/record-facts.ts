// Which facts of a record the policies of an organization speak of (core__access_facts), and what they are for a row. Each fact has an id
// for as long as a policy needs it: what a recipe says of another id, of a policy that is gone, counts for nothing.
import { evaluateFormula } from "../../../contract/formula/evaluate-formula.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { leaveComputing } from "../../metadata/computed/work.ts";
import { factKeys, factOf, fieldsOfFact } from "../../metadata/policies/policy.ts";
import type { AccessPolicy, RecordType, RecordTypeKey } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import type { RecipeFact } from "../acl.ts";

/** By what a policy calls it. */
export type FactIds = ReadonlyMap<string, number>;
export type FactsInForce = ReadonlyMap<RecordTypeKey, FactIds>;

const none: FactIds = new Map();
export const factIds = (facts: FactsInForce, type: Pick<RecordType, "key">): FactIds => facts.get(type.key) ?? none;

const seen = new WeakMap<Queryable, Map<string, Promise<FactsInForce>>>();

/**
 * Read once per transaction. `now`: whoever has locked the rows that it is about to judge asks again, since a policy may have changed
 * until it had them.
 */
export function readRecordFacts(transaction: Queryable, organizationId: string, now = false): Promise<FactsInForce> {
  // Outside of one nothing is kept.
  if ("transaction" in transaction) return read(transaction, organizationId);
  const ofTransaction = seen.get(transaction) ?? new Map<string, Promise<FactsInForce>>();
  seen.set(transaction, ofTransaction);
  const before = now ? undefined : ofTransaction.get(organizationId);
  if (before) return before;
  const reading = read(transaction, organizationId);
  ofTransaction.set(organizationId, reading);
  reading.catch(() => ofTransaction.get(organizationId) === reading && ofTransaction.delete(organizationId));
  return reading;
}

async function read(transaction: Queryable, organizationId: string): Promise<FactsInForce> {
  const rows = await transaction.prepared(sql`
    select record_type, fact, id::text from core__access_facts where organization_id = ${organizationId}::bigint`);
  const facts = new Map<string, Map<string, number>>();
  for (const [type, key, id] of rows) {
    const ofType = facts.get(type ?? "") ?? new Map<string, number>();
    facts.set(type ?? "", ofType.set(key ?? "", Number(id)));
  }
  return facts;
}

/** The fields of a type that its records' access depends on by a policy. */
export const factFields = (type: RecordType, ids: FactIds): ReadonlySet<string> =>
  new Set([...ids.keys()].flatMap((key) => fieldsNamed(type, key)));

const fieldsNamed = (type: RecordType, key: string): readonly string[] => {
  const fact = factOf(type, key);
  return fact ? fieldsOfFact(fact) : [];
};

/** The columns of these fields. */
export const factColumns = (type: RecordType, ids: FactIds): readonly string[] =>
  ids.size === 0
    ? []
    : [...factFields(type, ids)].flatMap((name) => (type.columns.get(name) ?? []).map((column) => column.name));

/** What is so of a row, as its recipe keeps it. What is not so is not written: most records need no recipe of their own. */
export function factsOfRow(
  type: RecordType,
  ids: FactIds,
  row: Readonly<Record<string, string | null | undefined>>,
): readonly RecipeFact[] {
  const found: RecipeFact[] = [];
  for (const [key, id] of ids) {
    const fact = factOf(type, key);
    if (fact?.kind === "condition" && evaluateFormula(fact.holds, (name) => row[name]) === true) found.push([id]);
    if (fact?.kind === "field") {
      const named = row[fact.field];
      if (named != null && named !== "") found.push([id, `${fact.names}:${named}`]);
    }
  }
  return found;
}

/**
 * Brings the facts to what the policies in force need. Of a type with a new one, all records are looked at by the worker. Within the
 * transaction of the change, which holds the access lock alone.
 */
export async function settleFacts(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  policyOf: (type: RecordType) => AccessPolicy,
): Promise<FactsInForce> {
  const kept = await readRecordFacts(transaction, organizationId, true);
  let isChanged = false;
  for (const type of snapshot.types.values()) {
    if (type.scope === "shared") continue;
    const wanted = factKeys(policyOf(type)).filter((key) => factOf(type, key) !== undefined);
    const before = factIds(kept, type);
    const added = wanted.filter((key) => !before.has(key));
    const gone = [...before.keys()].filter((key) => !wanted.includes(key));
    if (added.length + gone.length === 0) continue;
    isChanged = true;
    await transaction.run(sql`
      delete from core__access_facts where organization_id = ${organizationId}::bigint and record_type = ${type.key}
        and fact = any(${gone}::text[])`);
    await transaction.run(sql`
      insert into core__access_facts (organization_id, record_type, fact)
      select ${organizationId}::bigint, ${type.key}, fact from unnest(${added}::text[]) as added(fact)`);
    if (added.length > 0) await leaveComputing(transaction, organizationId, type.key, [ACCESS], {});
  }
  return isChanged ? readRecordFacts(transaction, organizationId, true) : kept;
}

/** What the work of giving all records of a type their access sets is called among computed fields. */
export const ACCESS = "acl_id";
