// Takes the addresses, e-mail addresses and phone numbers that were sent; gives them as column texts, and every fault under
// the name of the row it is in. Asks the database only whether countries and states are there.
import { type Message, say } from "../../../contract/messages.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, sql } from "../../database/sql.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { type ColumnValues, rowValues } from "../../records/read/row-values.ts";
import { type ContactKind, contactKinds, type SentRow, type SentSignup } from "./read-signup.ts";

interface Rules {
  /** Must be there and say something. */
  readonly required: readonly string[];
  /** May be left out, but not sent empty. */
  readonly notEmpty: readonly string[];
  readonly references?: Readonly<Record<string, string>>;
}

export const contactRules: Readonly<Record<ContactKind, Rules>> = {
  addresses: {
    required: ["type", "address_line_1"],
    notEmpty: ["city", "state_id", "country_id", "zip"],
    references: { state_id: "masters__states", country_id: "masters__countries" },
  },
  email_addresses: { required: ["email"], notEmpty: ["type"] },
  phone_numbers: { required: ["number", "type"], notEmpty: [] },
};

export interface ContactRows {
  readonly columns: Readonly<Record<ContactKind, readonly ColumnValues[]>>;
  readonly faults: Readonly<Record<string, readonly Message[]>>;
}

/** What a client sends along with a row that is not its own to say. */
const isCompanion = (name: string): boolean =>
  name.startsWith("__") || name.endsWith("_model") || /^(id|related_id|related_type|deleted|is_confirmed)$/.test(name);

export async function readContactRows(db: Queryable, snapshot: Snapshot, sent: SentSignup): Promise<ContactRows> {
  const faults: Record<string, Message[]> = {};
  const columns: Record<ContactKind, ColumnValues[]> = { addresses: [], email_addresses: [], phone_numbers: [] };
  for (const kind of contactKinds) {
    for (const row of sent.rows[kind]) {
      const read = readRow(snapshot, kind, row);
      columns[kind].push(read.columns);
      Object.assign(faults, read.faults, await strangers(db, kind, row, read.columns));
    }
  }
  return { columns, faults };
}

function readRow(snapshot: Snapshot, kind: ContactKind, { values, at }: SentRow) {
  const type = requireType(snapshot, `core/${kind}`);
  const { required, notEmpty } = contactRules[kind];
  const wire: Record<string, unknown> = {};
  for (const field of type.fields) if (field.initial !== undefined) wire[field.name] = field.initial;
  for (const [name, value] of Object.entries(values)) if (!isCompanion(name)) wire[name] = value;
  const read = rowValues(type, wire, { locale: "en-US", timeZone: "UTC" });
  const faults: Record<string, Message[]> = {};
  for (const [name, said] of Object.entries(read.errors)) faults[`${at}.${name.slice(kind.length + 1)}`] = said;
  for (const name of [...required, ...notEmpty.filter((field) => field in values)]) {
    const given = values[name];
    if (given !== undefined && given !== null && given !== "" && given !== "null") continue;
    faults[`${at}.${name}`] = [say("required", { field: type.field.get(name)?.label ?? name })];
  }
  return { columns: read.columns, faults };
}

async function strangers(
  db: Queryable,
  kind: ContactKind,
  { at }: SentRow,
  columns: ColumnValues,
): Promise<Record<string, Message[]>> {
  const faults: Record<string, Message[]> = {};
  for (const [name, table] of Object.entries(contactRules[kind].references ?? {})) {
    const id = columns[name];
    if (id == null) continue;
    const found = await db.row(sql`select 1 as found from ${ident(table)} where id::text = ${id} and deleted = 0`);
    if (!found) faults[`${at}.${name}`] = [say("record_gone")];
  }
  return faults;
}
