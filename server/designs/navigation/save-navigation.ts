// Takes a navigation as somebody wants it, and the one that is stored; saves what differs, by the ordinary way of saving records: order,
// names, icons, what is hidden from whom, links and modules of one's own. Call within a transaction.
import { z } from "zod";
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { isAddress } from "../../../contract/navigation/address.ts";
import { grantWrite } from "../../access/grant.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { modulesOf } from "../../modules/development_base/menu-data.ts";
import type { Work } from "../../records/hooks.ts";
import { deleteRecord } from "../../records/save/delete-record.ts";
import { saveRecords } from "../../records/save/save-records.ts";
import type { Tree } from "../../request/tree.ts";
import { type Navigation, type StoredEntry, typeAt } from "./read-navigation.ts";

const MODULES = "development_base/modules";
const MENUS = "development_base/menus";

const name = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/);
const label = z.string().trim().min(1).max(80);
const shown = {
  icon: z
    .string()
    .regex(/^[a-z0-9-]{1,60}$/)
    .nullable()
    .optional(),
  is_active: z.boolean(),
  hidden_for: z.array(name).max(50),
};

const entrySchema = z.strictObject({
  /** Null: a new one. */
  id: z.uuid().nullable(),
  key: name,
  label,
  url: z.string().trim().min(1).max(255).refine(isAddress),
  ...shown,
});

export const navigationSchema = z
  .array(z.strictObject({ name, label, ...shown, entries: z.array(entrySchema).max(500) }))
  .max(200);

type SentNavigation = z.output<typeof navigationSchema>;

/** `position`: its number among all modules, where not all of them are meant. */
export type WantedNavigation = readonly (SentNavigation[number] & { readonly position?: number | undefined })[];

/** Saves what differs, by the ordinary way of saving records. `removes`: links and own modules that are not wanted any more go. */
export async function saveNavigation(
  work: Work,
  { modules, entries }: Navigation,
  wanted: WantedNavigation,
  { removes }: { readonly removes: boolean },
): Promise<void> {
  const moduleRanks = ranked(wanted.map((one) => modules.find((module) => module.name === one.name)?.sequence));
  const byModule = wanted.map((one, index): Wanted => {
    const stored = modules.find((module) => module.name === one.name);
    const values = {
      ...valuesOf(one),
      name: one.name,
      sequence: one.position === undefined ? (moduleRanks[index] ?? "") : String(one.position),
    };
    return { id: stored?.id, values, before: stored && { ...storedValues(stored), name: stored.name } };
  });
  await save(work, MODULES, byModule);

  const byEntry = wanted.flatMap((module) => {
    const found = module.entries.map((one) =>
      entries.find((entry) => (one.id === null ? isSame(work, entry, module.name, one) : entry.id === one.id)),
    );
    const ranks = ranked(found.map((entry) => (entry?.module === module.name ? entry.sequence : null)));
    return module.entries.map((one, index): Wanted => {
      const stored = found[index];
      const isType = (stored?.type ?? typeAt(work.snapshot, one.url)) !== undefined;
      const fixed = { module: module.name, sequence: ranks[index] ?? "" };
      const free = { key: one.key, type: isType ? "controller" : "link", url: one.url };
      // What an entry of a record type leads to is its list.
      const values = { ...valuesOf(one), ...fixed, ...(stored?.type && stored.id !== undefined ? {} : free) };
      const before = stored && {
        ...storedValues(stored),
        module: stored.module,
        key: stored.key,
        type: stored.isLink ? "link" : "controller",
        url: stored.url,
      };
      if (one.id !== null && !stored) throw new Failure("conflict", { with: { reason: say("navigation_changed") } });
      return { id: stored?.id, values, before };
    });
  });
  await save(work, MENUS, byEntry);
  if (!removes) return;
  const kept = new Set(byEntry.map(({ id }) => id));
  const names = new Set([...modulesOf(work.snapshot), ...wanted].map((module) => module.name));
  await removeNavigation(work, {
    entries: entries.filter((entry) => entry.isLink && !entry.isDeleted && !kept.has(entry.id)),
    modules: modules.filter((module) => !names.has(module.name)),
  });
}

/** Takes links and modules away. */
export async function removeNavigation(work: Work, { entries, modules }: Navigation): Promise<void> {
  const ids = (all: readonly { readonly id: string | undefined }[]) => all.map(({ id }) => id);
  await remove(work, MENUS, ids(entries));
  await remove(work, MODULES, ids(modules));
}

/** A new entry that is there already: of the same record type, or of the same key in its module. */
const isSame = (work: Work, entry: StoredEntry, module: string, one: { readonly key: string; readonly url: string }) =>
  !entry.isDeleted &&
  ((entry.module === module && entry.key === one.key) ||
    (entry.type !== undefined && entry.type === typeAt(work.snapshot, one.url)));

interface Wanted {
  readonly id: string | undefined;
  readonly values: Readonly<Record<string, string | null>>;
  readonly before: Readonly<Record<string, string | null>> | undefined;
}

type Decided = Pick<WantedNavigation[number], "label" | "icon" | "is_active" | "hidden_for">;

const valuesOf = ({ label, icon, is_active, hidden_for }: Decided) => ({
  label,
  ...(icon === undefined ? {} : { icon }),
  is_active: is_active ? "1" : "0",
  hidden_for: hidden_for.length === 0 ? null : hidden_for.join(" "),
});

const storedValues = (one: Omit<StoredEntry, "key" | "type"> | Navigation["modules"][number]) => ({
  label: one.label,
  icon: one.icon,
  is_active: one.isActive ? "1" : "0",
  hidden_for: one.hiddenFor.length === 0 ? null : one.hiddenFor.join(" "),
  sequence: one.sequence,
});

/** Numbers in the wanted order; those that are in order already stay as they are. */
function ranked(stored: readonly (string | null | undefined)[]): readonly string[] {
  const numbers = stored.map((text) => (text == null ? Number.NaN : Number(text)));
  const isOrdered = numbers.every((number, index) =>
    index === 0 ? !Number.isNaN(number) : number > (numbers[index - 1] ?? Number.NaN),
  );
  return isOrdered ? numbers.map(String) : numbers.map((_, index) => String((index + 1) * 10));
}

async function save(work: Work, key: string, all: readonly Wanted[]): Promise<void> {
  const type = requireType(work.snapshot, key);
  for (const operation of ["edit", "add"] as const) {
    const rows = all
      .filter(({ id }) => (id === undefined) === (operation === "add"))
      .map(({ id, values, before }) => ({ id, sent: operation === "add" ? values : changed(values, before ?? {}) }))
      .filter(({ sent }) => Object.keys(sent).length > 0);
    if (rows.length === 0) continue;
    const grant = grantWrite(work.caller, type, operation, work.hooks);
    const saved = await saveRecords(work, { grant, operation, atomic: true }, rows);
    const failed = saved.find((one) => one !== undefined && "failure" in one);
    if (failed && "failure" in failed) throw failed.failure;
  }
}

const changed = (values: Wanted["values"], before: Wanted["values"]): Tree =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== (before[name] ?? null)));

async function remove(work: Work, key: string, ids: readonly (string | undefined)[]): Promise<void> {
  const grant = grantWrite(work.caller, requireType(work.snapshot, key), "delete", work.hooks);
  for (const id of ids) {
    if (id !== undefined) await deleteRecord(work, grant, id, { confirmed: true, override: false });
  }
}
