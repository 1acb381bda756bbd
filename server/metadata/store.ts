// Takes a database and the built-in definitions; keeps this process's snapshot true, and saves record types made at
// run time. A change is told to every process in the transaction that makes it.
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import type { Database, Queryable } from "../database/database.ts";
import { isConstraint, violated } from "../database/errors.ts";
import { tellAllToListAgain } from "../database/events/write-events.ts";
import { tryLockTables } from "../database/locks.ts";
import { withSchemaLock } from "../database/migrate.ts";
import { notify } from "../database/processes/notify.ts";
import { quote, sql } from "../database/sql.ts";
import { keyOf, tableOf, typeOf } from "./compile.ts";
import { leaveComputing } from "./computed/work.ts";
import { leaveToBuilder } from "./definition-indexes.ts";
import { definitionRefused, elsewhere } from "./definition-refusal.ts";
import { type Design, type Designs, designOf, extended, fitting, readDesigns, withDesign } from "./designs.ts";
import { forgetIndexes, requireNothingBuilt, usableIndexes } from "./indexes.ts";
import {
  becomingComputed,
  type ChangePreview,
  derivedElsewhere,
  droppedFields,
  missingFields,
  previewChanges,
  recomputedFields,
  retypedFields,
} from "./preview-changes.ts";
import type { RecordType, RecordTypeDefinition } from "./record-type.ts";
import { convertField, discardField, dropColumns, dropObsolete, type Readable } from "./redesign.ts";
import { type AddedIndexes, buildSnapshot, requireType, type Snapshot } from "./snapshot.ts";
import { shapeTable } from "./table-shape.ts";
import { ColumnMismatch, type OnTable, syncTables } from "./table-sync.ts";
import { fillingTables } from "./table-work.ts";

export interface DesignRequest {
  readonly definition: unknown;
  /** Fields that may go, with their values kept aside. Without being named here a missing field is refused. */
  readonly discard?: readonly string[];
  /** Fields whose type may change. */
  readonly convert?: readonly string[];
  /** Refused where there is such a type already. */
  readonly isNew?: boolean;
  /** What the change was made on (`definitionRevision`); refused where somebody else saved meanwhile. */
  readonly revision?: string | undefined;
  /** Only values of these records are told where they do not fit; none, unless said. */
  readonly readable?: Readable;
}

export interface DesignResult {
  readonly key: string;
  readonly discardedValues: number;
  readonly convertedValues: number;
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

export interface MetadataStore {
  current(): Snapshot;
  /** Reads the run-time types anew; called when another process changed them. */
  reload(): Promise<void>;
  save(request: DesignRequest, along?: WithDesign): Promise<DesignResult>;
  /** What saving would refuse of a definition, and what it would do to records. Changes nothing. */
  check(
    request: DesignRequest,
    guard?: (db: Queryable, before: RecordType, after: RecordType) => Promise<void>,
  ): Promise<ChangePreview & { readonly key: string }>;
  /** All record types as they would be with a design; changes nothing. */
  designed(definition: unknown): Promise<{ readonly snapshot: Snapshot; readonly type: RecordType }>;
  /** Says which indexes of a type are in use, in the transaction that everybody learns it from. */
  changeIndexes<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>;
  /** Takes a run-time type out of service. Its table and values stay, and come back with the same key. */
  remove(key: string, along?: WithDesign): Promise<void>;
}

interface RunTime {
  readonly version: string;
  readonly designs: Designs;
  readonly indexes: AddedIndexes;
  readonly filling: ReadonlySet<string>;
}

async function readRunTime(db: Queryable, builtIn: readonly RecordTypeDefinition[]): Promise<RunTime> {
  const state = await db.row(sql`select version from metadata__state`);
  return {
    version: state?.version ?? "0",
    designs: fitting(await readDesigns(db, builtIn), builtIn),
    indexes: await usableIndexes(db),
    filling: await fillingTables(db),
  };
}

/** The snapshot as it is stored, without bringing any table up to it. Changes nothing. */
export async function readSnapshot(db: Queryable, builtIn: readonly RecordTypeDefinition[]): Promise<Snapshot> {
  const { version, designs, indexes, filling } = await readRunTime(db, builtIn);
  return buildSnapshot(extended(builtIn, designs), designs.types, version, indexes, filling);
}

async function inSchemaTransaction<T>(db: Database, work: (transaction: Queryable) => Promise<T>): Promise<T> {
  return withSchemaLock(db, async (session) => {
    await session.script("begin");
    try {
      const result = await work(session);
      // A commit of what failed meanwhile would only undo it, and say nothing.
      await session.settled();
      await session.script("commit");
      return result;
    } catch (error) {
      await session.script("rollback").catch(() => undefined);
      throw error;
    }
  });
}

/** The service has tables that are no record type's, and no design may take one of them over. */
async function requireFreeTable(transaction: Queryable, table: string): Promise<void> {
  const taken = await transaction.row(sql`
    select 1 as found where to_regclass(${quote(table)}) is not null
      and not exists (select from metadata__synced_tables where table_name = ${table})`);
  if (taken) throw definitionRefused([{ at: "controller", wrong: say("table_reserved", { table }) }]);
}

/** Brings the tables up to a new design; where the records stand in its way, the design is refused. */
async function syncDesign(transaction: Queryable, snapshot: Snapshot, type: RecordType): Promise<void> {
  try {
    await syncTables(transaction, snapshot);
  } catch (error) {
    const [duplicate, dangling] = [violated(error, "23505"), violated(error, "23503")];
    const shape = shapeTable(type, snapshot);
    const place = (columns: readonly string[] | undefined, setting: string): string => {
      const [only, ...more] = (columns ?? []).filter((column) => column !== "organization_id");
      return only !== undefined && more.length === 0 && type.field.has(only) ? `fields.${only}.${setting}` : "";
    };
    if (error instanceof ColumnMismatch) throw definitionRefused([{ at: "", wrong: error.said }]);
    if (duplicate !== undefined) {
      const index = shape.indexes.find(({ name }) => isConstraint(duplicate, name));
      const wrong = say("not_unique", { index: index?.name ?? duplicate });
      throw definitionRefused([{ at: place(index?.columns, "unique"), wrong }]);
    }
    if (dangling !== undefined) {
      const key = shape.foreignKeys.find(({ name }) => isConstraint(dangling, name));
      const wrong = say("dangling", { reference: key?.name ?? dangling });
      throw definitionRefused([{ at: place(key?.columns, "type"), wrong }]);
    }
    throw error;
  }
}

/** Every process hears of it once this is committed. */
async function changed(transaction: Queryable): Promise<void> {
  const row = await transaction.row(sql`update metadata__state set version = version + 1 returning version`);
  await notify(transaction, "dossier_metadata", row?.version ?? "");
}

/** What people have filled in is not written over. */
function requireOwnValues(before: RecordType | undefined, after: RecordType): void {
  const names = before ? becomingComputed(before, after) : [];
  const faults = names.map((name) => ({ at: `fields.${name}.computed`, wrong: say("becomes_computed", { name }) }));
  if (faults.length > 0) throw definitionRefused(faults);
}

/** Fields whose columns go. */
const changedFields = (before: RecordType, after: RecordType): readonly string[] => [
  ...missingFields(before, after),
  ...droppedFields(before, after),
  ...retypedFields(before, after),
];

/** What a saved definition is known by, until somebody changes it. */
export const definitionRevision = sql`md5(definition::text)`;

/** What a built-in type is known by that nobody has changed. */
export const AS_SHIPPED = "as-shipped";

async function requireUntouched(
  transaction: Queryable,
  { key, extension }: Design,
  request: DesignRequest,
): Promise<void> {
  const row = await transaction.row(sql`
    select ${definitionRevision} as revision from metadata__record_types where key = ${key}`);
  if (request.isNew && (row || extension))
    throw definitionRefused([{ at: "controller", wrong: say("type_exists", { type: key }) }]);
  const revision = row?.revision ?? (extension ? AS_SHIPPED : undefined);
  if (request.revision !== undefined && request.revision !== revision) {
    throw new Failure("conflict", { with: { reason: say("type_changed", { type: key }) } });
  }
}

export async function openMetadata(
  db: Database,
  builtIn: readonly RecordTypeDefinition[],
  onTable?: OnTable,
): Promise<MetadataStore> {
  const build = (from: Queryable): Promise<Snapshot> => readSnapshot(from, builtIn);
  let snapshot = await inSchemaTransaction(db, async (transaction) => {
    const touched = await syncTables(transaction, await build(transaction), onTable);
    // Whoever is running already learns which texts are made anew.
    if (touched.length > 0) await changed(transaction);
    return build(transaction);
  });
  const reload = async () => {
    const fresh = await build(db);
    // Of two that read at the same time, the one that read less may come back last.
    if (BigInt(fresh.version) < BigInt(snapshot.version)) return;
    if (fresh.version !== snapshot.version) db.designChanged();
    snapshot = fresh;
  };
  const withSaved = ({ version, designs, indexes }: RunTime, design: Design) => {
    try {
      const all = withDesign(designs, design);
      const after = buildSnapshot(extended(builtIn, all), all.types, version, indexes);
      return { after, type: requireType(after, design.key) };
    } catch (error) {
      throw elsewhere(error, design.key);
    }
  };
  return {
    current: () => snapshot,
    reload,
    save: async (request, along) => {
      const design = designOf(builtIn, request.definition);
      const { key, definition } = design;
      const result = await inSchemaTransaction(db, async (transaction) => {
        // Who waited for a table here would keep everybody else waiting for it.
        if (!(await tryLockTables(transaction))) throw new Failure("backup_running");
        await requireUntouched(transaction, design, request);
        await requireNothingBuilt(transaction, key, tableOf(definition));
        const stored = await readRunTime(transaction, builtIn);
        const present = buildSnapshot(
          extended(builtIn, stored.designs),
          stored.designs.types,
          stored.version,
          stored.indexes,
        );
        const before = present.types.get(key);
        const changing = before ? changedFields(before, withSaved(stored, design).type) : [];
        const kept = await forgetIndexes(transaction, key, changing, stored.indexes);
        const step = { before, after: withSaved({ ...stored, indexes: kept }, design).type, changing };
        const { indexes, removing } = await leaveToBuilder(transaction, step, definition, kept);
        const { after, type } = withSaved({ ...stored, indexes }, design);
        let discardedValues = 0;
        let convertedValues = 0;
        if (!before) await requireFreeTable(transaction, tableOf(definition));
        else {
          requireOwnValues(before, type);
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
            if (field) discardedValues += await discardField(transaction, before, field);
          }
          for (const name of retypedFields(before, type)) {
            if (!request.convert?.includes(name)) {
              const [from = "", to = ""] = [before, type]
                .map((one) => one.field.get(name))
                .map((one) => one && typeOf(one).label);
              const unconfirmed = say("convert_unconfirmed", { name, from, to });
              throw new Failure("definition_refused", { with: { faults: [unconfirmed] } });
            }
            convertedValues += await convertField(transaction, before, type, name, request.readable);
          }
          if (discardedValues + convertedValues > 0) await tellAllToListAgain(transaction, key);
        }
        await syncDesign(transaction, after, type);
        const converted = before ? retypedFields(before, type) : [];
        const computed = recomputedFields(before, type, converted);
        if (computed.length > 0) await leaveComputing(transaction, "everywhere", key, computed, {});
        for (const one of derivedElsewhere(after.types.values(), key, new Set(converted)))
          await leaveComputing(transaction, "everywhere", one.type, one.fields, {});
        await transaction.run(sql`
          insert into metadata__record_types (key, definition) values (${key}, ${JSON.stringify(design.stored)}::jsonb)
          on conflict (key) do update set definition = excluded.definition, modified = now() at time zone 'utc'`);
        await changed(transaction);
        const saved = { key, discardedValues, convertedValues };
        await along?.(transaction, { key, before, after: type, result: saved });
        return saved;
      });
      await reload();
      return result;
    },
    check: async (request, guard) => {
      const design = designOf(builtIn, request.definition);
      const { key } = design;
      await requireUntouched(db, design, request);
      const stored = await readRunTime(db, builtIn);
      const { type } = withSaved(stored, design);
      const before = buildSnapshot(extended(builtIn, stored.designs), stored.designs.types, stored.version).types.get(
        key,
      );
      requireOwnValues(before, type);
      if (before) await guard?.(db, before, type);
      if (!before) return { key, discarded: [], converted: [] };
      return { key, ...(await previewChanges(db, before, type, request.readable)) };
    },
    designed: async (definition) => {
      const { after, type } = withSaved(await readRunTime(db, builtIn), designOf(builtIn, definition));
      return { snapshot: after, type };
    },
    changeIndexes: async (work) => {
      const result = await inSchemaTransaction(db, async (transaction) => {
        const done = await work(transaction);
        await changed(transaction);
        return done;
      });
      await reload();
      return result;
    },
    remove: async (key, along) => {
      if (builtIn.some((shipped) => keyOf(shipped) === key)) {
        throw new Failure("conflict", { with: { reason: say("extension_stays", { type: key }) } });
      }
      await inSchemaTransaction(db, async (transaction) => {
        const { designs, version } = await readRunTime(transaction, builtIn);
        const before = (await build(transaction)).types.get(key);
        const removed = await transaction.run(sql`delete from metadata__record_types where key = ${key}`);
        if (removed.count === 0) throw new Failure("unknown_controller", { with: { type: key } });
        // Its table stays, and is looked at anew if the type comes back.
        const table = before?.table ?? "";
        await transaction.run(sql`delete from metadata__table_work where table_name = ${table}`);
        await transaction.run(sql`update metadata__synced_tables set fingerprint = '' where table_name = ${table}`);
        // What refers to it must still compile without it, extensions as well.
        const others = designs.types.filter((type) => keyOf(type) !== key);
        buildSnapshot(extended(builtIn, designs), others, version);
        await changed(transaction);
        const result = { key, discardedValues: 0, convertedValues: 0 };
        await along?.(transaction, { key, before, after: undefined, result });
      });
      await reload();
    },
  };
}
