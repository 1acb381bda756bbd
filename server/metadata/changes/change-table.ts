// Takes one type of a design; plans what becomes of its table by reading alone, and then, once the table is locked, does it. Table sync adds
// what is new.
import { isDeepStrictEqual } from "node:util";
import { say } from "../../../contract/messages.ts";
import type { Queryable } from "../../database/database.ts";
import { tellAllToListAgain } from "../../database/events/write-events.ts";
import { quote, sql } from "../../database/sql.ts";
import type { Field } from "../../fields/field-type.ts";
import { tableOf } from "../compile.ts";
import { definitionRefused } from "../definition-refusal.ts";
import type { Design } from "../designs.ts";
import { becomingComputed, droppedFields, retypedFields } from "../preview-changes.ts";
import type { FieldDefinition, RecordType } from "../record-type.ts";
import { discardField, dropColumns, dropObsolete } from "../redesign.ts";
import { requireType, type Snapshot } from "../snapshot.ts";
import { shapeTable, type TableShape } from "../table-shape.ts";
import { type Conversion, convertField, planConversion, staysInPlace } from "./convert-fields.ts";
import type { DesignRequest, DesignResult } from "./design-request.ts";
import { requireUniqueValues, uniqueSetsWith } from "./rehearse-unique.ts";
import { countLeaving, forgetRemovedType, putFieldAside, takeFieldBack } from "./removed.ts";
import type { Renames } from "./rename-fields.ts";

export interface DesignStep {
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

/** The service has tables that are no record type's, and no design may take one of them over. */
async function requireFreeTable(transaction: Queryable, table: string): Promise<void> {
  const taken = await transaction.row(sql`
    select 1 as found where to_regclass(${quote(table)}) is not null
      and not exists (select from metadata__synced_tables where table_name = ${table})`);
  if (taken) throw definitionRefused([{ at: "controller", wrong: say("table_reserved", { table }) }]);
}

/** What people have filled in is not written over. */
export function requireOwnValues(before: RecordType | undefined, after: RecordType): void {
  const names = before ? becomingComputed(before, after) : [];
  const faults = names.map((name) => ({ at: `fields.${name}.computed`, wrong: say("becomes_computed", { name }) }));
  if (faults.length > 0) throw definitionRefused(faults);
}

interface Snapshots {
  readonly present: Snapshot;
  readonly after: Snapshot;
}

/** What becomes of a table, with what its records say to that. */
export interface TablePlan {
  readonly step: DesignStep;
  /** That nobody may use meanwhile: its own, and those that it refers to no more. */
  readonly tables: readonly string[];
  /** As it is and as it will be; undefined for a new one. */
  readonly shapes: readonly [TableShape, TableShape] | undefined;
  readonly conversions: readonly Conversion[];
  readonly leaving: ReadonlyMap<Field, number>;
}

/** Indexes come and go beside those who read and write. */
const isAltered = (before: TableShape, after: TableShape): boolean =>
  !isDeepStrictEqual({ ...before, indexes: [] }, { ...after, indexes: [] });

/** PostgreSQL locks these as well when a reference goes. */
const noLongerReferred = (before: TableShape, after: TableShape): readonly string[] =>
  before.foreignKeys
    .filter((key) => !after.foreignKeys.some((one) => isDeepStrictEqual(one, key)))
    .map(({ table }) => table);

/** Those that are not `last` come first. */
const inOrder = <T>(all: readonly T[], last: (one: T) => boolean): readonly T[] => [
  ...all.filter((one) => !last(one)),
  ...all.filter(last),
];

/** What becomes of the tables of all steps. */
export async function planTables(
  transaction: Queryable,
  snapshots: Snapshots,
  steps: readonly DesignStep[],
): Promise<ReadonlyMap<DesignStep, TablePlan>> {
  const plans = new Map<DesignStep, TablePlan>();
  const converts = ({ before, design }: DesignStep) =>
    before !== undefined && retypedFields(before, requireType(snapshots.after, design.key)).length > 0;
  for (const step of inOrder(steps, converts)) plans.set(step, await planTable(transaction, snapshots, step));
  return plans;
}

/** Values are looked through before anything is locked, where that can be. */
async function planTable(transaction: Queryable, { present, after }: Snapshots, step: DesignStep): Promise<TablePlan> {
  const { request, before } = step;
  const type = requireType(after, step.design.key);
  if (!before) return { step, tables: [], shapes: undefined, conversions: [], leaving: new Map() };
  requireOwnValues(before, type);
  // Some conversions lock the table before they read it: what is only read comes first.
  const leaving = await countLeaving(transaction, before, type, request.discard);
  const stays = (name: string) => staysInPlace(before.field.get(name), type.field.get(name));
  const conversions: Conversion[] = [];
  for (const name of inOrder(retypedFields(before, type), (name) => !stays(name))) {
    const collects = request.rehearses === true && uniqueSetsWith(type, after, name).length > 0;
    conversions.push(await planConversion(transaction, before, type, name, { ...request, collects }));
  }
  await requireUniqueValues(transaction, before, type, after, conversions);
  const shapes = [shapeTable(before, present), shapeTable(type, after)] as const;
  const isReshaped = conversions.length > 0 || leaving.size > 0 || isAltered(...shapes);
  const tables = isReshaped ? [type.table, ...noLongerReferred(...shapes)] : [];
  return { step, tables, shapes, conversions, leaving };
}

/** What goes, or is held otherwise from now on, leaves the table, with its values kept. */
export async function changeTable(
  transaction: Queryable,
  after: Snapshot,
  { step, shapes, conversions, leaving }: TablePlan,
  removing: ReadonlySet<string> = new Set(),
): Promise<DesignResult> {
  const { request, before, defined, renames } = step;
  const { key, definition } = step.design;
  const type = requireType(after, key);
  let discardedValues = 0;
  let convertedValues = 0;
  const removed: string[] = [];
  if (!before || !shapes) {
    await forgetRemovedType(transaction, key);
    await requireFreeTable(transaction, tableOf(definition));
  } else {
    await dropObsolete(transaction, ...shapes, removing);
    for (const name of droppedFields(before, type)) {
      const field = before.field.get(name);
      if (field) await dropColumns(transaction, before, field);
    }
    for (const [field, values] of leaving) {
      const definedAs = defined.find(({ name }) => name === field.name);
      if (definedAs) removed.push(await putFieldAside(transaction, before, field, definedAs, values));
      discardedValues += definedAs ? values : await discardField(transaction, before, field);
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
