// Takes a change of a record type and who made it; refuses what would leave workflows without their stages, and writes down what became of
// its fields, in the transaction of the change.

import { humanize } from "../../../contract/labels.ts";
import { audit } from "../../access/audit.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Field } from "../../fields/field-type.ts";
import { fieldTypes } from "../../fields/index.ts";
import { noteRemover } from "../../metadata/changes/removed.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { WithDesign } from "../../metadata/save-designs.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { requireTransitionFields } from "../../metadata/uses/needed-by-transitions.ts";
import { requireUnusedNames } from "./names-in-use.ts";
import { requirePolicyFields } from "./policies-in-use.ts";
import { requireStageOptions } from "./stages-in-use.ts";

export interface DesignActor {
  readonly organizationId: string;
  readonly userId: string | null;
  readonly userName: string;
  readonly address?: string | undefined;
}

/** A type in brief: what it is called, and its fields of people's own by type. */
const briefOf = (type: RecordType | undefined): Readonly<Record<string, string>> =>
  type
    ? Object.fromEntries([
        ["label", `${type.label} / ${type.plural}`],
        [
          "settings",
          JSON.stringify({ icon: type.icon, unique: type.unique, duplicates: type.duplicates }).slice(0, 500),
        ],
        ...type.rules.map(({ name, formula, message }) => [`rule ${name}`, `${formula}: ${message}`] as const),
        ...type.fields.filter((field) => !field.system).map((field) => [field.name, fieldBrief(field)]),
        ...type.associations.filter(({ kind }) => kind !== "belongs-to").map(({ name, label }) => [name, label]),
      ])
    : {};

const isUsual = ({ type, settings }: Field): boolean =>
  JSON.stringify(fieldTypes[type].settings.safeParse({}).data) === JSON.stringify(settings);

const fieldBrief = (field: Field): string => {
  const { label, settings, initial, starts, help, permission, computed } = field;
  const more = {
    ...(label === humanize(field.name) ? {} : { label }),
    ...(permission === 2 ? {} : { permission }),
    ...(isUsual(field) ? {} : { settings }),
    ...(initial === undefined ? {} : { initial }),
    ...(starts === undefined ? {} : { starts }),
    ...(computed === undefined ? {} : { computed }),
    ...(help === undefined ? {} : { help }),
  };
  const told = Object.keys(more).length === 0 ? "" : JSON.stringify(more).slice(0, 1_000);
  return [field.type, field.required && "required", told].filter(Boolean).join(", ");
};

/** What became of a record type: fields that came, went or changed. Committed with the change, or not at all. */
const auditDesign =
  (by: DesignActor, snapshot: Snapshot): WithDesign =>
  async (transaction, { key, before, after, result }) => {
    const [from, to] = [briefOf(before), briefOf(after)];
    const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    const changed = names.filter((name) => from[name] !== to[name]).slice(0, 100);
    await audit(transaction, snapshot, {
      ...by,
      event: "record_type_changed",
      subject: { type: "metadata/record_types", id: key, name: to.label ?? from.label ?? key },
      detail: {
        operation: after === undefined ? "delete" : before === undefined ? "add" : "edit",
        changes: Object.fromEntries(
          changed.map((name) => [name, { from: from[name] ?? null, to: to[name] ?? null }] as const),
        ),
        discarded_values: String(result.discardedValues),
        converted_values: String(result.convertedValues),
        ...(Object.keys(result.renamed).length === 0
          ? {}
          : { renamed: Object.entries(result.renamed).map(([from, to]) => `${from} → ${to}`) }),
      },
    });
  };

/** What people have built on the type must go on working. */
export async function guardDesign(
  db: Queryable,
  organizationId: string,
  snapshot: Snapshot,
  before: RecordType,
  after: RecordType,
): Promise<void> {
  await requireUnusedNames(db, organizationId, snapshot, before, after);
  await requireStageOptions(db, organizationId, before, after);
  await requirePolicyFields(db, organizationId, before, after);
}

/**
 * What belongs to every change of a record type: what people have built on it goes on working, and the audit log tells of it.
 * `alone`: nothing else is changed with it that could bring workflows in line.
 */
export const withGuardAndAudit =
  (by: DesignActor, snapshot: Snapshot, { alone = true }: { readonly alone?: boolean } = {}): WithDesign =>
  async (transaction, change) => {
    const { before, after } = change;
    await noteRemover(transaction, change.result.removed, by);
    await transaction.run(sql`
      update metadata__record_types set modified_by = ${by.userName} where key = ${change.key}`);
    if (before && after) await guardDesign(transaction, by.organizationId, snapshot, before, after);
    if (before && after && alone) await requireTransitionFields(transaction, by.organizationId, before, after);
    await auditDesign(by, snapshot)(transaction, change);
  };
