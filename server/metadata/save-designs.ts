// Takes designs of record types that belong together, within a transaction; checks them as one, brings tables, indexes and computed
// values along, and stores them. What stands in the way refuses all of them. Also takes a type out of service.
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Queryable } from "../database/database.ts";
import { tellAllToListAgain } from "../database/events/write-events.ts";
import { tryLockTables } from "../database/locks.ts";
import { notify } from "../database/processes/notify.ts";
import { quote, sql } from "../database/sql.ts";
import {
  type Conversion,
  convertField,
  planConversion,
  type Readable,
  type TimeLimit,
} from "./changes/convert-fields.ts";
import { type FormerFields, readFormerFields } from "./changes/former-fields.ts";
import { keepNumbers } from "./changes/keep-numbers.ts";
import { whereRecordsAllow } from "./changes/refuse-records.ts";
import { requireUniqueValues, uniqueSetsWith } from "./changes/rehearse-unique.ts";
import { forgetRemovedType, putFieldAside, putTypeAside, takeFieldBack } from "./changes/removed.ts";
import { type Renames, renamedFields, renameFields } from "./changes/rename-fields.ts";
import { keyOf, tableOf } from "./compile.ts";
import { leaveComputing } from "./computed/work.ts";
import { leaveToBuilder } from "./definition-indexes.ts";
import { definitionRefused, elsewhere } from "./definition-refusal.ts";
import { type Design, type Designs, designOf, extended, fitting, readDesigns, withDesign } from "./designs.ts";
import { forgetIndexes, requireNothingBuilt, usableIndexes } from "./indexes.ts";
import {
  becomingComputed,
  derivedElsewhere,
  droppedFields,
  missingFields,
  recomputedFields,
  retypedFields,
} from "./preview-changes.ts";
import type { FieldDefinition, RecordType, RecordTypeDefinition } from "./record-type.ts";
import { discardField, dropColumns, dropObsolete } from "./redesign.ts";
import { requireFittingStarts } from "./rules/compile-starts.ts";
import { requireKnownAmounts } from "./rules/known-amounts.ts";
import { requireKnownOptions } from "./rules/known-options.ts";
import { type AddedIndexes, buildSnapshot, requireType, type Snapshot } from "./snapshot.ts";
import { shapeTable } from "./table-shape.ts";
import { syncTables } from "./table-sync.ts";
import { fillingTables } from "./table-work.ts";
import { usedElsewhere } from "./uses/used-elsewhere.ts";

export interface DesignRequest {
  readonly definition: unknown;
  /** Fields that may go, with their values kept aside. Without being named here a missing field is refused. */
  readonly discard?: readonly string[];
  /** Fields whose type may change. */
  readonly convert?: readonly string[];
  /** Removed fields that the definition has again, to come back with their values. */
  readonly restore?: readonly string[];
  /** Which one of the bin, where a name was removed more than once; the newest, unless said. */
  readonly restoredFrom?: string;
  /** It was in force before, or is in force elsewhere: options that its conditions name may be gone. */
  readonly comesBack?: boolean;
  /** Refused where there is such a type already. */
  readonly isNew?: boolean;
  /** What the change was made on (`definitionRevision`); refused where somebody else saved meanwhile. */
  readonly revision?: string | undefined;
  /** It will be taken back: values of large tables are looked through, and written only where unique ones become empty. */
  readonly rehearses?: boolean;
  /** For as long as values are looked through. */
  readonly limit?: TimeLimit | undefined;
  /** Only values of these records are told where they do not fit; none, unless said. */
  readonly readable?: Readable;
}

export interface DesignResult {
  readonly key: string;
  readonly discardedValues: number;
  readonly convertedValues: number;
  /** Fields with another name: old → new. */
  readonly renamed: Readonly<Record<string, string>>;
  /** What can be brought back, by its id in the bin. */
  readonly removed: readonly string[];
}

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

/** The service has tables that are no record type's, and no design may take one of them over. */
async function requireFreeTable(transaction: Queryable, table: string): Promise<void> {
  const taken = await transaction.row(sql`
    select 1 as found where to_regclass(${quote(table)}) is not null
      and not exists (select from metadata__synced_tables where table_name = ${table})`);
  if (taken) throw definitionRefused([{ at: "controller", wrong: say("table_reserved", { table }) }]);
}

/** Every process hears of it once this is committed. */
export async function changed(transaction: Queryable): Promise<void> {
  const row = await transaction.row(sql`update metadata__state set version = version + 1 returning version`);
  await notify(transaction, "dossier_metadata", row?.version ?? "");
}

/** What people have filled in is not written over. */
export function requireOwnValues(before: RecordType | undefined, after: RecordType): void {
  const names = before ? becomingComputed(before, after) : [];
  const faults = names.map((name) => ({ at: `fields.${name}.computed`, wrong: say("becomes_computed", { name }) }));
  if (faults.length > 0) throw definitionRefused(faults);
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

interface Step {
  readonly request: DesignRequest;
  readonly design: Design;
  /** With the names that its fields have from now on. */
  readonly before: RecordType | undefined;
  /** As it was. */
  readonly was: RecordType | undefined;
  /** Its own fields as they were designed. */
  readonly defined: readonly FieldDefinition[];
  readonly renames: Renames;
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
  const steps: Step[] = [];
  for (const one of sent) {
    const { key } = one.design;
    const was = present.types.get(key);
    const renames = was ? renamedFields(was, requireType(wanted, key)) : new Map<string, string>();
    if (was && renames.size > 0) {
      present = await renameFields(transaction, present, was, renames);
      stored = { ...stored, indexes: await usableIndexes(transaction) };
    }
    const own = storedOf(stored.designs, key);
    const defined = (own?.fields ?? []).map((field) => ({ ...field, name: renames.get(field.name) ?? field.name }));
    steps.push({ ...one, was, before: present.types.get(key), defined, renames });
  }
  const changing = new Map<Step, readonly string[]>();
  let { indexes } = stored;
  for (const step of steps) {
    const { design, before } = step;
    const fields = before ? changedFields(before, requireType(wanted, design.key)) : [];
    changing.set(step, fields);
    indexes = await forgetIndexes(transaction, design.key, fields, indexes);
  }
  const indexed = withSaved(builtIn, { ...stored, indexes }, designs);
  const removing = new Map<Step, ReadonlySet<string>>();
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
    for (const step of steps)
      results.push(await changeTable(transaction, { present, after }, step, removing.get(step) ?? new Set()));
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

/** What goes, or is held otherwise from now on, leaves the table, with its values kept. */
async function changeTable(
  transaction: Queryable,
  { present, after }: { readonly present: Snapshot; readonly after: Snapshot },
  { request, design: { key, definition }, before, defined, renames }: Step,
  removing: ReadonlySet<string>,
): Promise<DesignResult> {
  const type = requireType(after, key);
  let discardedValues = 0;
  let convertedValues = 0;
  const removed: string[] = [];
  if (!before) await forgetRemovedType(transaction, key);
  if (!before) await requireFreeTable(transaction, tableOf(definition));
  else {
    requireOwnValues(before, type);
    // Values are looked through before anything is locked, where that can be.
    const conversions: Conversion[] = [];
    for (const name of retypedFields(before, type)) {
      const collects = request.rehearses === true && uniqueSetsWith(type, after, name).length > 0;
      conversions.push(await planConversion(transaction, before, type, name, { ...request, collects }));
    }
    await requireUniqueValues(transaction, before, type, after, conversions);
    await dropObsolete(transaction, shapeTable(before, present), shapeTable(type, after), removing);
    for (const name of droppedFields(before, type)) {
      const field = before.field.get(name);
      if (field) await dropColumns(transaction, before, field);
    }
    for (const name of missingFields(before, type)) {
      if (!request.discard?.includes(name)) {
        throw new Failure("definition_refused", { with: { faults: [say("discard_unconfirmed", { name })] } });
      }
      const field = before.field.get(name);
      const definedAs = defined.find((one) => one.name === name);
      if (field && definedAs) {
        const aside = await putFieldAside(transaction, before, field, definedAs);
        discardedValues += aside.values;
        removed.push(aside.id);
      } else if (field) discardedValues += await discardField(transaction, before, field);
    }
    for (const name of request.restore ?? [])
      if (!before.field.has(name)) await takeFieldBack(transaction, after, type, name, request.restoredFrom);
    for (const conversion of conversions) {
      await convertField(transaction, before, type, conversion);
      convertedValues += conversion.converted.fitting;
    }
    if (discardedValues + convertedValues > 0) await tellAllToListAgain(transaction, key);
  }
  return { key, discardedValues, convertedValues, renamed: Object.fromEntries(renames), removed };
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
  for (const key of keys) {
    const [type, definition] = [present.types.get(key), stored.designs.types.find((one) => keyOf(one) === key)];
    if (type && definition) removedIds.set(key, (await putTypeAside(transaction, type, definition)).id);
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
