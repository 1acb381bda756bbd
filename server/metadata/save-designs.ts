// Takes designs of record types that belong together, within a transaction; checks them as one, brings tables, indexes and computed
// values along, and stores them. What stands in the way refuses all of them. Also takes a type out of service.
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Queryable } from "../database/database.ts";
import { tryLockTables } from "../database/locks.ts";
import { notify } from "../database/processes/notify.ts";
import { sql } from "../database/sql.ts";
import { changeTable, type DesignStep, planTables } from "./changes/change-table.ts";
import type { DesignRequest, DesignResult } from "./changes/design-request.ts";
import { type FormerFields, readFormerFields } from "./changes/former-fields.ts";
import { keepNumbers } from "./changes/keep-numbers.ts";
import { whereRecordsAllow } from "./changes/refuse-records.ts";
import { putTypeAside } from "./changes/removed.ts";
import { renamedFields, renameFields } from "./changes/rename-fields.ts";
import { takeTables, takeWork } from "./changes/take-tables.ts";
import { keyOf, tableOf } from "./compile.ts";
import { leaveComputing } from "./computed/work.ts";
import { leaveToBuilder } from "./definition-indexes.ts";
import { definitionRefused, elsewhere } from "./definition-refusal.ts";
import { type Design, type Designs, designOf, extended, fitting, readDesigns, withDesign } from "./designs.ts";
import { forgetIndexes, requireNothingBuilt, usableIndexes } from "./indexes.ts";
import { derivedElsewhere, droppedFields, missingFields, recomputedFields, retypedFields } from "./preview-changes.ts";
import type { RecordType, RecordTypeDefinition } from "./record-type.ts";
import { requireFittingStarts } from "./rules/compile-starts.ts";
import { requireKnownAmounts } from "./rules/known-amounts.ts";
import { requireKnownOptions } from "./rules/known-options.ts";
import { type AddedIndexes, buildSnapshot, requireType, type Snapshot } from "./snapshot.ts";
import { syncTables } from "./table-sync.ts";
import { fillingTables } from "./table-work.ts";
import { usedElsewhere } from "./uses/used-elsewhere.ts";

/** A design that is about to be committed; `before` is missing for a new type, `after` for one that goes. */
export interface DesignChange {
  readonly key: string;
  readonly before: RecordType | undefined;
  readonly after: RecordType | undefined;
  readonly result: DesignResult;
}

/** What belongs to a change of design, in its own transaction: what it throws refuses the change. */
export type WithDesign = (transaction: Queryable, change: DesignChange) => Promise<void>;

export interface RunTime {
  readonly version: string;
  readonly designs: Designs;
  readonly indexes: AddedIndexes;
  readonly filling: ReadonlySet<string>;
  readonly former: FormerFields;
}

export async function readRunTime(db: Queryable, builtIn: readonly RecordTypeDefinition[]): Promise<RunTime> {
  const state = await db.row(sql`select version from metadata__state`);
  return {
    version: state?.version ?? "0",
    designs: fitting(await readDesigns(db, builtIn), builtIn),
    indexes: await usableIndexes(db),
    filling: await fillingTables(db),
    former: await readFormerFields(db),
  };
}

/** All types as they are with these designs. */
export function withSaved(
  builtIn: readonly RecordTypeDefinition[],
  { version, designs, indexes }: Pick<RunTime, "version" | "designs" | "indexes">,
  saved: readonly Design[],
): Snapshot {
  try {
    const all = saved.reduce(withDesign, designs);
    const snapshot = buildSnapshot(extended(builtIn, all), all.types, version, indexes);
    for (const design of saved) requireFittingStarts(requireType(snapshot, design.key), keptFields(designs, design));
    return snapshot;
  } catch (error) {
    const [only, ...more] = saved;
    const isRefused = error instanceof Failure && error.code === "definition_refused";
    const used =
      isRefused && only
        ? usedElsewhere(
            buildSnapshot(extended(builtIn, designs), designs.types, version),
            saved.map(({ definition }) => definition),
          )
        : [];
    if (used.length > 0) throw definitionRefused(used);
    throw only && more.length === 0 ? elsewhere(error, only.key, [...builtIn, ...designs.types]) : error;
  }
}

/** What is stored of a type, if anything is. */
const storedOf = ({ types, extensions }: Designs, key: string) =>
  types.find((type) => keyOf(type) === key) ?? extensions.get(key);

/** What is asked of a design once, when it is sent, and never of one that is stored. */
export function requireSense(
  present: Snapshot,
  wanted: Snapshot,
  designs: Designs,
  sent: Design,
  request: DesignRequest,
): void {
  if (request.comesBack) return;
  const stored = storedOf(designs, sent.key);
  requireKnownOptions(wanted.types, sent.key, sent.stored, stored);
  const [before, type] = [present.types.get(sent.key), requireType(wanted, sent.key)];
  requireKnownAmounts(type, sent.stored, stored, before && renamedFields(before, type));
}

/** Fields that are stored just as this design has them. */
function keptFields(designs: Designs, { key, stored }: Design): ReadonlySet<string> {
  const before = storedOf(designs, key);
  const kept = stored.fields?.filter((field) => before?.fields?.some((one) => isDeepStrictEqual(one, field)));
  return new Set(kept?.map(({ name }) => name));
}

/** Every process hears of it once this is committed. */
export async function changed(transaction: Queryable): Promise<void> {
  const row = await transaction.row(sql`update metadata__state set version = version + 1 returning version`);
  await notify(transaction, "dossier_metadata", row?.version ?? "");
}

/** Fields whose columns go, or are sorted otherwise. */
const changedFields = (before: RecordType, after: RecordType): readonly string[] => [
  ...missingFields(before, after),
  ...droppedFields(before, after),
  ...retypedFields(before, after),
];

/** What a saved definition is known by, until somebody changes it. */
export const definitionRevision = sql`md5(definition::text)`;

/** What a built-in type is known by that nobody has changed. */
export const AS_SHIPPED = "as-shipped";

export async function requireUntouched(
  transaction: Queryable,
  { key, extension }: Design,
  request: DesignRequest,
): Promise<void> {
  const row = await transaction.row(sql`
    select ${definitionRevision} as revision, modified::text as modified, modified_by
    from metadata__record_types where key = ${key}`);
  if (request.isNew && (row || extension))
    throw definitionRefused([{ at: "controller", wrong: say("type_exists", { type: key }) }]);
  const revision = row?.revision ?? (extension ? AS_SHIPPED : undefined);
  if (request.revision !== undefined && request.revision !== revision) {
    const { modified = null, modified_by = null } = row ?? {};
    const reason = modified_by
      ? say("type_changed_by", { type: key, user: modified_by })
      : say("type_changed", { type: key });
    const body = { data: { record_types: { key, revision: revision ?? null, modified, modified_by } } };
    throw new Failure("conflict", { with: { reason }, body });
  }
}

/** Gives what became of each, in their order. `along` is called for each once all are stored. */
export async function saveDesigns(
  transaction: Queryable,
  builtIn: readonly RecordTypeDefinition[],
  requests: readonly DesignRequest[],
  along?: WithDesign,
): Promise<readonly DesignResult[]> {
  // Who waited for a table here would keep everybody else waiting for it.
  if (!(await tryLockTables(transaction))) throw new Failure("backup_running");
  let stored = await readRunTime(transaction, builtIn);
  let present = withSaved(builtIn, stored, []);
  const sent: { readonly request: DesignRequest; readonly design: Design }[] = [];
  for (const request of requests) {
    const design = designOf(builtIn, request.definition);
    await requireUntouched(transaction, design, request);
    await requireNothingBuilt(transaction, design.key, tableOf(design.definition));
    sent.push({ request, design });
  }
  const designs = sent.map(({ design }) => design);
  const wanted = withSaved(builtIn, stored, designs);
  for (const { design, request } of sent) requireSense(present, wanted, stored.designs, design, request);
  const steps: DesignStep[] = [];
  for (const one of sent) {
    const { key } = one.design;
    const was = present.types.get(key);
    const renames = was ? renamedFields(was, requireType(wanted, key)) : new Map<string, string>();
    if (was && renames.size > 0) {
      present = await renameFields(transaction, present, was, renames, one.request);
      stored = { ...stored, indexes: await usableIndexes(transaction) };
    }
    const own = storedOf(stored.designs, key);
    const defined = (own?.fields ?? []).map((field) => ({ ...field, name: renames.get(field.name) ?? field.name }));
    steps.push({ ...one, was, before: present.types.get(key), defined, renames });
  }
  const changing = new Map<DesignStep, readonly string[]>();
  let { indexes } = stored;
  for (const step of steps) {
    const { design, before } = step;
    const fields = before ? changedFields(before, requireType(wanted, design.key)) : [];
    changing.set(step, fields);
    indexes = await forgetIndexes(transaction, design.key, fields, indexes);
  }
  const indexed = withSaved(builtIn, { ...stored, indexes }, designs);
  const removing = new Map<DesignStep, ReadonlySet<string>>();
  for (const step of steps) {
    const { before, design } = step;
    const change = { before, after: requireType(indexed, design.key), changing: changing.get(step) ?? [] };
    const left = await leaveToBuilder(transaction, change, design.definition, indexes);
    indexes = left.indexes;
    removing.set(step, left.removing);
  }
  const after = withSaved(builtIn, { ...stored, indexes }, designs);
  const results: DesignResult[] = [];
  const types = designs.map(({ key }) => requireType(after, key));
  await whereRecordsAllow(after, types, async () => {
    const plans = await planTables(transaction, { present, after }, steps);
    // From here on everybody waits who uses them: nothing below looks through their records.
    const tables = new Set([...plans.values()].flatMap((plan) => plan.tables));
    const rehearses = requests.some((request) => request.rehearses);
    await takeTables(transaction, [...tables], { rehearses });
    for (const step of steps) {
      const plan = plans.get(step);
      if (plan) results.push(await changeTable(transaction, after, plan, removing.get(step)));
    }
    await syncTables(transaction, after);
  });
  for (const { before, design } of steps) {
    const type = requireType(after, design.key);
    await keepNumbers(transaction, before, type);
    const converted = before ? retypedFields(before, type) : [];
    const computed = recomputedFields(before, type, converted);
    if (computed.length > 0) await leaveComputing(transaction, "everywhere", design.key, computed, {});
    for (const one of derivedElsewhere(after.types.values(), design.key, new Set(converted)))
      await leaveComputing(transaction, "everywhere", one.type, one.fields, {});
    await transaction.run(sql`
      insert into metadata__record_types (key, definition) values (${design.key}, ${JSON.stringify(design.stored)}::jsonb)
      on conflict (key) do update set definition = excluded.definition, modified = now() at time zone 'utc'`);
  }
  await changed(transaction);
  for (const [index, { design, was: before }] of steps.entries()) {
    const result = results[index];
    if (result) await along?.(transaction, { key: design.key, before, after: requireType(after, design.key), result });
  }
  return results;
}

/** Their tables and values stay, and come back with the same keys. Types that refer to each other go together. */
export async function removeDesigns(
  transaction: Queryable,
  builtIn: readonly RecordTypeDefinition[],
  keys: readonly string[],
  along?: WithDesign,
): Promise<void> {
  const stays = builtIn.map(keyOf).find((key) => keys.includes(key));
  if (stays !== undefined) throw new Failure("conflict", { with: { reason: say("extension_stays", { type: stays }) } });
  const stored = await readRunTime(transaction, builtIn);
  const present = withSaved(builtIn, stored, []);
  const removedIds = new Map<string, string>();
  await takeWork(
    transaction,
    keys.map((key) => present.types.get(key)?.table ?? ""),
  );
  for (const key of keys) {
    const [type, definition] = [present.types.get(key), stored.designs.types.find((one) => keyOf(one) === key)];
    if (type && definition) removedIds.set(key, await putTypeAside(transaction, type, definition));
    const removed = await transaction.run(sql`delete from metadata__record_types where key = ${key}`);
    if (removed.count === 0) throw new Failure("unknown_controller", { with: { type: key } });
    // Its table is looked at anew if the type comes back.
    const table = present.types.get(key)?.table ?? "";
    await transaction.run(sql`delete from metadata__table_work where table_name = ${table}`);
    await transaction.run(sql`update metadata__synced_tables set fingerprint = '' where table_name = ${table}`);
  }
  // What refers to them must still compile without them, extensions as well.
  const others = stored.designs.types.filter((type) => !keys.includes(keyOf(type)));
  buildSnapshot(extended(builtIn, stored.designs), others, stored.version);
  await changed(transaction);
  for (const key of keys) {
    const removed = removedIds.get(key);
    const kept = { discardedValues: 0, convertedValues: 0, renamed: {} };
    const result = { key, ...kept, removed: removed === undefined ? [] : [removed] };
    await along?.(transaction, { key, before: present.types.get(key), after: undefined, result });
  }
}
