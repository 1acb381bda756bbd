// Takes records of a file as rows of cells; saves them as ordinary saves do, each or not at all, and tells what is wrong by
// row and column. Call within a transaction.
import { Failure } from "../../contract/failures.ts";
import { type Message, type MessagesByField, say } from "../../contract/messages.ts";
import { type Grant, grantWrite } from "../access/grant.ts";
import { mayOperate } from "../access/matrix.ts";
import { pause } from "../lib/turns/pause.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { planSave } from "../plan/plan-write.ts";
import { reasonsOf } from "../records/bulk/with-savepoints.ts";
import type { Work } from "../records/hooks.ts";
import { saveRecords } from "../records/save/save-records.ts";
import { keyFields } from "../records/upsert/key.ts";
import { type RowResult, type UpsertedRow, upsertRecords } from "../records/upsert/upsert-records.ts";
import { shown, type Tree, type TreeValue } from "../request/tree.ts";
import { lockChunk } from "./lock-chunk.ts";
import { cellValue } from "./mapping/cells.ts";
import { type Found, findReferences, groupAlike } from "./mapping/references.ts";
import { faultKey, labelOf, referenceOf, type Target, targetOf, whyNoTarget } from "./mapping/targets.ts";
import { reword } from "./reword.ts";
import { cellOf, type ImportSpec, type Mapped } from "./spec.ts";
import { type StagedRecord, writtenCells } from "./stage.ts";

/** What is wrong with a cell, or (without a column) with a row. */
export interface CellFault {
  readonly row: number;
  readonly column: string | null;
  readonly value: string | null;
  readonly reasons: readonly Message[];
}

export interface ImportOutcome {
  /** Ids of what was added or changed. */
  readonly changed: readonly string[];
  /** By row. */
  readonly failed: Readonly<Record<string, readonly Message[]>>;
  readonly faults: readonly CellFault[];
  readonly counts: Readonly<Partial<Record<RowResult, number>>>;
}

export interface ImportGrants {
  readonly add: Grant | undefined;
  readonly edit: Grant | undefined;
}

interface Place extends Mapped {
  readonly to: Target;
  readonly at: number;
  readonly reference: RecordType | undefined;
}

interface Built {
  readonly row: number;
  readonly sent: Record<string, TreeValue>;
  readonly record: StagedRecord;
  readonly faults: CellFault[];
}

/** What of the mapping is no longer there, or not the caller's to write, ends the import. */
export function placesOf(
  work: Pick<Work, "snapshot" | "caller">,
  type: RecordType,
  spec: ImportSpec,
): readonly Place[] {
  const columns = spec.columns ?? [];
  return spec.mapping.map((mapped) => {
    const to = targetOf(work.snapshot, type, work.caller, mapped.target);
    if (!to)
      throw new Failure("conflict", {
        with: { reason: whyNoTarget(work.snapshot, type, work.caller, mapped.target) },
      });
    const at = columns.indexOf(mapped.column);
    if (at === -1)
      throw new Failure("conflict", {
        with: { reason: say("import_unknown_column", { column: shown(mapped.column) }) },
      });
    return { ...mapped, to, at, reference: referenceOf(work.snapshot, to) };
  });
}

export interface ImportOptions {
  readonly overrideDuplicates?: boolean | undefined;
  readonly atomic?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Records that are saved in one pass. Larger ones are no faster, hold more, and keep others waiting for the process. */
const SLICE = 250;

export async function importRecords(
  work: Work,
  type: RecordType,
  grants: ImportGrants,
  spec: ImportSpec,
  records: readonly StagedRecord[],
  options: ImportOptions,
): Promise<ImportOutcome> {
  const places = placesOf(work, type, spec);
  const outcomes: ImportOutcome[] = [];
  await lockChunk(work, type, spec, keysOf(type, places, spec, records));
  for (let start = 0; start < records.length; start += SLICE)
    outcomes.push(await importSlice(work, type, grants, places, spec, records.slice(start, start + SLICE), options));
  return told(together(outcomes, options), spec);
}

/** What the records say in their key; undefined where it names other records. */
function keysOf(
  { fieldAliases }: RecordType,
  places: readonly Place[],
  spec: ImportSpec,
  records: readonly StagedRecord[],
): Tree[] | undefined {
  // A field may have been renamed since the import was asked for.
  const key = new Set(spec.key.map((name) => fieldAliases.get(name) ?? name));
  const own = places.filter(({ to }) => !to.child && key.has(to.field.name));
  if (own.some(({ reference }) => reference)) return undefined;
  return records.map((record) => buildRecord(own, spec, record, new Map()).sent);
}

function told({ failed, faults, ...rest }: ImportOutcome, { dateOrder }: ImportSpec): ImportOutcome {
  const words = (reasons: readonly Message[]) => reasons.map((said) => reword(said, dateOrder));
  return {
    ...rest,
    failed: Object.fromEntries(Object.entries(failed).map(([row, reasons]) => [row, words(reasons)])),
    faults: faults.map((fault) => ({ ...fault, reasons: words(fault.reasons) })),
  };
}

function together(outcomes: readonly ImportOutcome[], { atomic }: ImportOptions): ImportOutcome {
  const faults = outcomes.flatMap((one) => one.faults);
  const failed = Object.assign({}, ...outcomes.map((one) => one.failed)) as ImportOutcome["failed"];
  // All or nothing: what other slices would have saved comes to nothing.
  if (atomic && Object.keys(failed).length > 0) return { changed: [], failed, faults, counts: {} };
  const counts: Partial<Record<RowResult, number>> = {};
  for (const outcome of outcomes)
    for (const [result, count] of Object.entries(outcome.counts) as [RowResult, number][])
      counts[result] = (counts[result] ?? 0) + count;
  return { changed: [...new Set(outcomes.flatMap(({ changed }) => changed))], failed, faults, counts };
}

async function importSlice(
  work: Work,
  type: RecordType,
  grants: ImportGrants,
  places: readonly Place[],
  spec: ImportSpec,
  records: readonly StagedRecord[],
  options: ImportOptions,
): Promise<ImportOutcome> {
  const known = await resolveReferences(work, places, spec, records);
  const built: Built[] = [];
  for (const record of records) {
    await pause();
    built.push(buildRecord(places, spec, record, known));
  }
  const sound = built.filter(({ faults }) => faults.length === 0);
  const grant = grants.add ?? grants.edit;
  for (const one of built) {
    if (one.faults.length > 0 && grant)
      one.faults.push(...alsoWrong(work, grant, one, cellsOf(type, places, spec, one.record)));
  }
  const isLeft = options.atomic && sound.length < built.length;
  const rows = sound.map(({ sent }) => sent);
  const saved = isLeft ? [] : await save(work, type, grants, spec, rows, options);
  const results = new Map(sound.map((one, index) => [one, saved[index]]));
  return outcome(built, results, (one, failure) => faultsOf(one, failure, cellsOf(type, places, spec, one.record)));
}

async function save(
  work: Work,
  type: RecordType,
  { add, edit }: ImportGrants,
  spec: ImportSpec,
  rows: readonly Record<string, TreeValue>[],
  options: ImportOptions,
): Promise<readonly UpsertedRow[]> {
  if (spec.mode !== "add")
    return upsertRecords(work, { ...options, add, edit, key: keyFields(type, work.caller, spec.key) }, rows);
  if (!add) throw new Error("who adds was granted it");
  const saved = await saveRecords(
    work,
    { ...options, grant: add, operation: "add" },
    rows.map((sent) => ({ id: undefined, sent })),
  );
  return saved.map((one) => (one && "value" in one ? { id: one.value, result: "added" } : one));
}

function outcome(
  built: readonly Built[],
  results: ReadonlyMap<Built, UpsertedRow>,
  faultsIn: (one: Built, failure: Failure) => readonly CellFault[],
): ImportOutcome {
  const changed = new Set<string>();
  const failed: Record<string, readonly Message[]> = {};
  const faults: CellFault[] = [];
  const counts: Partial<Record<RowResult, number>> = {};
  for (const one of built) {
    const result = results.get(one);
    if (one.faults.length > 0) {
      failed[one.row] = one.faults.flatMap(({ reasons }) => reasons);
      faults.push(...one.faults);
    } else if (result && "failure" in result) {
      failed[one.row] = reasonsOf(result.failure);
      faults.push(...faultsIn(one, result.failure));
    } else if (result) {
      counts[result.result] = (counts[result.result] ?? 0) + 1;
      if (result.result === "added" || result.result === "changed") changed.add(result.id);
    }
  }
  return { changed: [...changed], failed, faults, counts };
}

/** The faults of a save by the cells that they are about; what is about none is about the row. */
function faultsOf({ row }: Built, failure: Failure, cells: Cells): CellFault[] {
  const found = faultsIn(row, failure.detail.byField ?? {}, cells);
  return found.length > 0 ? found : [{ row, column: null, value: null, reasons: reasonsOf(failure) }];
}

/** What else is wrong with the cells of a row whose references are not there: told at once, not when those were corrected. */
function alsoWrong({ snapshot }: Work, grant: Grant, { row, sent, faults }: Built, cells: Cells): CellFault[] {
  try {
    const { write } = planSave(snapshot, grant, { id: undefined, sent });
    const rows = [write, ...write.children.flatMap((child) => child.rows)];
    const known = new Set(faults.map(({ column }) => column));
    return rows
      .flatMap(({ errors }) => faultsIn(row, errors, cells))
      .filter(({ column }) => column !== null && !known.has(column));
  } catch (error) {
    // What is refused as a whole, such as children that the caller can't write, is told once the references are there.
    if (error instanceof Failure) return [];
    throw error;
  }
}

const faultsIn = (row: number, byField: MessagesByField, cells: Cells): CellFault[] =>
  Object.entries(byField).map(([key, reasons]) => {
    const cell = cells.get(key);
    return { row, column: cell?.column ?? null, value: shortened(cell?.value), reasons };
  });

/** Where the save tells faults → the cell that they are about. */
type Cells = ReadonlyMap<string, { readonly column: string; readonly value: string | null }>;

function cellsOf(type: RecordType, places: readonly Place[], spec: ImportSpec, record: StagedRecord): Cells {
  const cells = record.flatMap((source, number) =>
    places
      .filter(({ to }) => isSaid(spec, to, number))
      .map((place) => {
        const cell = { column: place.column, value: cellAt(spec, source, place, writtenCells(source, spec)[place.at]) };
        return [faultKey(type.alias, place.to, number), cell] as const;
      }),
  );
  return new Map(cells);
}

/** Whether a column is looked at in the row with this number of those that are one record. */
function isSaid({ mode }: ImportSpec, to: Target, number: number): boolean {
  // What several rows say of the record itself is said by the first.
  if (number > 0 && (!to.child || to.child.position !== undefined)) return false;
  // A record that is added has no children yet that could be meant.
  return !(to.child && to.field.name === "id" && (mode === "add" || mode === "skip"));
}

/** As much of a cell as a person reads. */
const shortened = (cell: string | null | undefined): string | null => cell?.slice(0, 200).toWellFormed() ?? null;

const referenceKey = ({ reference, missing }: Pick<Place, "reference" | "missing">): string =>
  `${reference?.key} ${missing ?? ""}`;

/** By record type and text. */
type Known = ReadonlyMap<string, ReadonlyMap<string, Found>>;

const cellAt = (
  spec: ImportSpec,
  row: StagedRecord[number],
  place: Mapped & { readonly at: number },
  own: string | null | undefined = row.cells[place.at],
): string | null => {
  const cell = cellOf(spec, row.line, place.column, own);
  return cell === null || cell.trim() === "" ? null : cell;
};

async function resolveReferences(
  work: Work,
  places: readonly Place[],
  spec: ImportSpec,
  records: readonly StagedRecord[],
): Promise<Known> {
  const asked = new Map<string, { readonly of: RecordType; readonly texts: Set<string>; readonly makes: boolean }>();
  for (const place of places) {
    const { reference } = place;
    if (!reference) continue;
    const key = referenceKey(place);
    const group = asked.get(key) ?? { of: reference, texts: new Set<string>(), makes: place.missing === "create" };
    asked.set(key, group);
    for (const row of records.flat()) {
      const cell = cellAt(spec, row, place);
      if (cell !== null) group.texts.add(cell.trim());
    }
  }
  const known = new Map<string, ReadonlyMap<string, Found>>();
  for (const [key, { of, texts, makes }] of asked) {
    if (texts.size === 0) continue;
    const found = await findReferences(work, of, texts);
    known.set(key, makes ? await makeMissing(work, of, texts, found) : found);
  }
  return known;
}

/** Records that are not there are added, called as the file calls them, with the caller's own right to. */
async function makeMissing(
  work: Work,
  type: RecordType,
  texts: ReadonlySet<string>,
  found: ReadonlyMap<string, Found>,
): Promise<ReadonlyMap<string, Found>> {
  const missing = [...texts].filter((text) => !found.has(text));
  if (missing.length === 0 || !mayOperate(work.caller, type, "add")) return found;
  const all = new Map(found);
  const grant = grantWrite(work.caller, type, "add", work.hooks);
  // What is written in different ways is made once.
  const groups = await groupAlike(work, type, missing);
  const rows = groups.map(([text]) => ({ id: undefined, sent: { [type.displayField]: text } }));
  const saved = await saveRecords(work, { grant, operation: "add" }, rows);
  for (const [index, group] of groups.entries()) {
    const one = saved[index];
    if (!one) continue;
    for (const text of group) all.set(text, "value" in one ? { id: one.value } : { failure: one.failure });
  }
  return all;
}

function buildRecord(places: readonly Place[], spec: ImportSpec, record: StagedRecord, known: Known): Built {
  const [first] = record;
  const row = first?.line ?? 0;
  const built: Built = { row, record, sent: { ...spec.defaults }, faults: [] };
  const children = new Map<string, Map<number, Record<string, TreeValue>>>();
  for (const [number, source] of record.entries()) {
    for (const place of places) {
      const { to } = place;
      if (!isSaid(spec, to, number)) continue;
      const cell = cellAt(spec, source, place);
      const value = cell === null ? null : placedValue(place, cell, spec, known, source, built);
      if (value === null && (spec.empty === "leave" || (cell !== null && place.missing !== "empty"))) continue;
      const holder = to.child ? childRow(children, to, number) : built.sent;
      if (to.part === undefined) holder[to.field.name] = value;
      else holder[to.field.name] = { ...(holder[to.field.name] as object | undefined), [to.part]: value };
    }
  }
  for (const [name, rows] of children) {
    const count = Math.max(...rows.keys());
    // Faults are told by position: what has no values keeps its place, and is no row.
    built.sent[name] = Array.from({ length: count }, (_, index) => rows.get(index + 1) ?? {});
  }
  return built;
}

function childRow(
  children: Map<string, Map<number, Record<string, TreeValue>>>,
  { child }: Target,
  number: number,
): Record<string, TreeValue> {
  const name = child?.association.name ?? "";
  const rows = children.get(name) ?? new Map<number, Record<string, TreeValue>>();
  children.set(name, rows);
  const position = child?.position ?? number + 1;
  const row = rows.get(position) ?? {};
  rows.set(position, row);
  return row;
}

function placedValue(
  place: Place,
  cell: string,
  spec: ImportSpec,
  known: Known,
  { line, cells, numbers }: StagedRecord[number],
  built: Built,
): string | null {
  const { to, reference, missing = "report" } = place;
  // A number of a workbook has a point; what it was corrected to is written like the texts of the file.
  const isNumber = numbers?.includes(place.at) && cell === cells[place.at];
  if (!reference) return cellValue(to.field, cell, isNumber ? { ...spec, decimalSign: "." } : spec);
  const text = cell.trim();
  const found = known.get(referenceKey(place))?.get(text);
  if (found && "id" in found) return found.id;
  const field = labelOf(to);
  const value = shown(text);
  const fail = (reason: Message): null => {
    built.faults.push({ row: line, column: place.column, value: shortened(cell), reasons: [reason] });
    return null;
  };
  if (found && "count" in found) return fail(say("import_ref_ambiguous", { field, count: found.count, value }));
  if (missing === "empty") return null;
  if (found)
    return fail(
      say("import_ref_not_made", { field, value, reason: reasonsOf(found.failure)[0] ?? found.failure.said }),
    );
  return fail(say("import_ref_missing", { field, type: reference.noun, value }));
}
