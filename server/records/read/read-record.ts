// Takes a ReadPlan; gives the record as the caller has it: wire values, display texts of what it refers to, children,
// rights. Undefined when there is no such record for the caller.
import { readRowLiteral } from "../../database/row-literal.ts";
import type { RowValue, WireValue } from "../../fields/field-type.ts";
import { referencedBy } from "../../metadata/associations.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import type { ReadPart, ReadPlan } from "../../plan/plan-read.ts";
import { compileRead, peopleTables, RECORD_EXTRAS } from "../../query/read-record.ts";
import { type DisplayTexts, type Reader, readDisplayTexts, rememberedTexts } from "./display-texts.ts";

export type WireRecord = Record<string, WireValue>;

export interface FoundRecord {
  readonly id: string;
  /** By field: only what the caller may see. */
  readonly values: WireRecord;
  /** By association. */
  readonly children: ReadonlyMap<string, readonly WireRecord[]>;
  readonly texts: DisplayTexts;
  readonly deleted: boolean;
  readonly rights: { readonly edit: boolean; readonly delete: boolean; readonly comment: boolean };
  readonly aclId: string | null;
  readonly formPointer: string | null;
  /** `<node> <version> <since>` of the stage that it is in, or null. */
  readonly stage: string | null;
  /** Of the tables that tell who is who; undefined for types without a workflow. */
  readonly peopleVersion: string | undefined;
  /** The workflow that it starts in, if it is in no stage yet. */
  readonly workflowPointer: string | null;
  /** The last entry of its stage log, where it is in a stage. */
  readonly lastStep: LastStep | undefined;
}

interface LastStep {
  readonly step: string | null;
  readonly name: string | null;
  readonly from: string | null;
  readonly kind: string | null;
  readonly id: string;
  readonly made: string | null;
}

export async function readRecord(reader: Reader, snapshot: Snapshot, plan: ReadPlan): Promise<FoundRecord | undefined> {
  const rows = await reader.run(compileRead(plan));
  const own = rows[0];
  const [part, ...childParts] = plan.parts;
  if (own === undefined || part === undefined || own[0] !== "0") return undefined;
  const extras = own.slice(own.length - RECORD_EXTRAS);
  const versions = (extras[5] ?? "").split(" ");
  const people = peopleTables(plan.type);
  const values = wireValues(part, own);
  const children = new Map<string, WireRecord[]>(childParts.map((one) => [one.association?.name ?? "", []]));
  for (const row of rows) {
    const child = childParts[Number(row[0]) - 1];
    if (child) children.get(child.association?.name ?? "")?.push(wireValues(child, row));
  }
  const ids = new Map<string, Set<string>>();
  collectIds(part, [values], ids);
  for (const child of childParts) collectIds(child, children.get(child.association?.name ?? "") ?? [], ids);
  return {
    id: plan.id,
    values,
    children,
    texts:
      (await rememberedTexts(reader.memory, plan, ids, versions)) ??
      (await readDisplayTexts(reader.run, snapshot, plan.caller, plan.referenced, ids)),
    deleted: values.deleted === "1",
    rights: { edit: extras[0] === "1", delete: extras[1] === "1", comment: extras[2] === "1" },
    aclId: extras[3] ?? null,
    formPointer: extras[4] ?? null,
    stage: extras[6] ?? null,
    peopleVersion: people.length === 0 ? undefined : versions.slice(-people.length).join(" "),
    workflowPointer: extras[7] ?? null,
    lastStep: lastStep(extras[8] ?? null),
  };
}

function lastStep(literal: string | null): LastStep | undefined {
  if (literal === null) return undefined;
  const [step = null, name = null, from = null, kind = null, id, made = null] = readRowLiteral(literal);
  return { step, name, from, kind, id: id ?? "", made };
}

/** The part's columns are one row value, in the order of its fields. */
export function wireValues(part: ReadPart, [, literal]: readonly RowValue[]): WireRecord {
  const row = readRowLiteral(literal ?? "");
  const values: WireRecord = {};
  let at = 0;
  for (const field of part.fields) {
    const width = part.type.columns.get(field.name)?.length ?? 1;
    values[field.name] = typeOf(field).present(row.slice(at, at + width), field);
    at += width;
  }
  return values;
}

function collectIds(part: ReadPart, records: readonly WireRecord[], ids: Map<string, Set<string>>): void {
  for (const field of part.fields) {
    const key = referencedBy(part.type, field);
    if (key === undefined) continue;
    for (const record of records) {
      const id = record[field.name];
      if (typeof id !== "string") continue;
      const known = ids.get(key);
      if (known) known.add(id);
      else ids.set(key, new Set([id]));
    }
  }
}
