// Saves one thing of a design that is a record: a role with what it allows, a policy, a form, a workflow, a view; or takes it away. Goes
// the ordinary way of saving, with its rules. Call within a transaction.
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { grantWrite } from "../access/grant.ts";
import { sql } from "../database/sql.ts";
import { requireType } from "../metadata/snapshot.ts";
import { modulesOf } from "../modules/development_base/menu-data.ts";
import { planSave } from "../plan/plan-write.ts";
import type { Work } from "../records/hooks.ts";
import { deleteRecord, restoreRecord } from "../records/save/delete-record.ts";
import { ownedByRecord, referringTo } from "../records/save/dependents.ts";
import { saveRecord } from "../records/save/save-records.ts";
import type { Tree } from "../request/tree.ts";
import type { Content, DesignItem, DesignKind, Json } from "./design.ts";
import { readNavigation } from "./navigation/read-navigation.ts";
import { removeNavigation, saveNavigation, type WantedNavigation } from "./navigation/save-navigation.ts";
import { type PeopleNames, withIds } from "./people-names.ts";
import type { Step } from "./plan-design.ts";
import { saveTranslations } from "./translations/save-translations.ts";
import { translationsIn } from "./translations/translation-list.ts";

const recordTypes: Partial<Record<DesignKind, string>> = {
  roles: "access_controls/roles",
  policies: "access_controls/policies",
  forms: "core/forms",
  workflows: "core/workflows",
  views: "core/listviews",
};

const flag = (value: Json | undefined): string => (value === true ? "1" : "0");
const text = (value: Json | undefined): string | null => (value === undefined || value === null ? null : String(value));

export async function applyThing(work: Work, { item, stored }: Step, people: PeopleNames): Promise<void> {
  if (item.kind === "translations") {
    await saveTranslations(work, item.key, translationsIn(item.content));
    return;
  }
  const key = recordTypes[item.kind];
  if (key === undefined) return;
  const type = requireType(work.snapshot, key);
  if (stored?.isDeleted && stored.id !== undefined) {
    await restoreRecord(work, grantWrite(work.caller, type, "restore", work.hooks), stored.id);
  }
  const content = withIds(item.content, people, () => undefined) as Content;
  const sent = await valuesOf(work, item.kind, content, stored?.id);
  const operation = stored?.id === undefined ? "add" : "edit";
  const back = { ...work, comesBack: true };
  const named = operation === "add" && typeof content.id === "string" ? withId(back, key, content.id) : back;
  const grant = grantWrite(work.caller, type, operation, named.hooks);
  await saveRecord(named, { grant, operation }, planSave(work.snapshot, grant, { id: stored?.id, sent }));
}

/** A new record under the id that it has everywhere. */
const withId = (work: Work, key: string, id: string): Work => {
  const own = work.hooks[key];
  const prepare: NonNullable<typeof own>["prepare"] = async (...asked) => ({ ...(await own?.prepare?.(...asked)), id });
  return { ...work, hooks: { ...work.hooks, [key]: { ...own, prepare } } };
};

async function valuesOf(work: Work, kind: DesignKind, content: Content, id: string | undefined): Promise<Tree> {
  const named = {
    controller: text(content.controller),
    name: text(content.name),
    description: text(content.description),
  };
  if (kind === "forms")
    return { ...named, definition: JSON.stringify(content.definition), is_default: flag(content.is_default) };
  if (kind === "workflows")
    return { ...named, definition: JSON.stringify(content.definition), is_active: flag(content.is_active) };
  if (kind === "policies") return { record_type: text(content.record_type), policy: JSON.stringify(content.policy) };
  if (kind === "roles") return roleValues(work, content, id);
  return {
    ...named,
    query: JSON.stringify(content.query),
    category_id: await categoryOf(work, text(content.controller) ?? "", text(content.category)),
    sequence: text(content.sequence) ?? "0",
    is_default: flag(content.is_default),
    is_personal: "0",
    is_pinned: flag(content.is_pinned),
    dashboard_sequence: text(content.dashboard_sequence) ?? "0",
  };
}

async function roleValues({ transaction, caller }: Work, content: Content, id: string | undefined): Promise<Tree> {
  const org = sql`${caller.organizationId}::bigint`;
  const stored = async (table: "operations" | "fields") =>
    id === undefined
      ? []
      : transaction.rows(
          table === "operations"
            ? sql`select id::text as id, record_type as key from access_controls__role_operations
                where organization_id = ${org} and role_id = ${id}::uuid and deleted = 0`
            : sql`select id::text as id, record_type || ' ' || field as key from access_controls__role_fields
                where organization_id = ${org} and role_id = ${id}::uuid and deleted = 0`,
        );
  const operations = Object.entries((content.operations ?? {}) as Content).map(([type, list]) => ({
    key: type,
    row: { record_type: type, operations: Array.isArray(list) ? list.join(";") : "" },
  }));
  const fields = Object.entries((content.fields ?? {}) as Content).flatMap(([type, own]) =>
    Object.entries((own ?? {}) as Content).map(([field, permission]) => ({
      key: `${type} ${field}`,
      row: { record_type: type, field, permission: String(permission) },
    })),
  );
  const merged = (
    wanted: readonly { readonly key: string; readonly row: Tree }[],
    rows: readonly Readonly<Record<string, string | null>>[],
  ) => [
    ...wanted.map(({ key, row }) => {
      const found = rows.find((one) => one.key === key)?.id;
      return found == null ? row : { ...row, id: found };
    }),
    ...rows
      .filter((one) => !wanted.some(({ key }) => key === one.key))
      .map((one) => ({ id: one.id ?? "", deleted: "1" })),
  ];
  return {
    ...(id === undefined ? { code: text(content.code) } : {}),
    name: text(content.name),
    description: text(content.description),
    is_administrator: flag(content.is_administrator),
    is_signup_role: flag(content.is_signup_role),
    operations: merged(operations, await stored("operations")),
    fields: merged(fields, await stored("fields")),
  };
}

async function categoryOf(work: Work, controller: string, name: string | null): Promise<string | null> {
  if (name === null) return null;
  const found = await work.transaction.row(sql`
    select id::text as id from core__categories
    where organization_id = ${work.caller.organizationId}::bigint and controller = ${controller} and name = ${name} and deleted = 0`);
  if (found?.id) return found.id;
  const grant = grantWrite(work.caller, requireType(work.snapshot, "core/categories"), "add", work.hooks);
  return saveRecord(
    work,
    { grant, operation: "add" },
    planSave(work.snapshot, grant, { id: undefined, sent: { controller, name } }),
  );
}

export async function removeThing(work: Work, { item, stored }: Step): Promise<void> {
  const key = recordTypes[item.kind];
  if (key === undefined || stored?.id === undefined) return;
  const type = requireType(work.snapshot, key);
  const grant = grantWrite(work.caller, type, "delete", work.hooks);
  const along = await ownedByRecord(work, type, stored.id);
  const using = await referringTo(work, type, stored.id, along, { requiredOnly: true, deletedToo: false });
  if (using.length > 0) {
    const errors = using.map((one) => say("still_used_by", one));
    throw new Failure("conflict", { with: { reason: say("needed_by_others") }, errors });
  }
  await deleteRecord(work, grant, stored.id, { confirmed: true, override: false });
}

/** Modules with their entries, among all others. */
export async function applyNavigation(work: Work, steps: readonly { readonly item: DesignItem }[]): Promise<void> {
  const stored = await readNavigation(work.transaction, work.snapshot);
  const known = modulesOf(work.snapshot);
  const wanted = steps.map(({ item: { content } }) => {
    const entries = (Array.isArray(content.entries) ? content.entries : []) as readonly Content[];
    const module = stored.modules.find(({ name }) => name === content.name);
    const last = Math.max(0, ...stored.modules.map(({ sequence }) => Number(sequence ?? 0)));
    return {
      ...content,
      icon: content.icon ?? module?.icon ?? known.find(({ name }) => name === content.name)?.icon ?? "folder",
      position: content.position ?? (module?.sequence == null ? last + 1 : Number(module.sequence)),
      entries: entries.map((entry) => ({ ...entry, id: null })),
    };
  });
  // Checked in shape when the design was read.
  await saveNavigation(work, stored, wanted as unknown as WantedNavigation, { removes: false });
}

/**
 * Takes back what an apply added to the navigation: links that modules did not have, and modules with their links. A module that record types
 * stand in stays, other than those that go along with it.
 */
export async function takeBackNavigation(
  work: Work,
  steps: readonly Pick<Step, "item" | "action">[],
  going: ReadonlySet<string>,
): Promise<void> {
  const { modules, entries } = await readNavigation(work.transaction, work.snapshot);
  const before = new Map(steps.map(({ item, action }) => [item.key, action === "remove" ? [] : item.content.entries]));
  const isBack = ({ module, key }: { readonly module: string; readonly key: string }): boolean => {
    const kept = before.get(module);
    return !Array.isArray(kept) || kept.some((entry) => entry.key === key);
  };
  const links = entries.filter((entry) => entry.isLink && !entry.isDeleted && !isBack(entry));
  const removed = new Set(steps.flatMap(({ item, action }) => (action === "remove" ? [item.key] : [])));
  const isNeeded = (name: string): boolean =>
    entries.some(
      (entry) =>
        entry.module === name &&
        !entry.isDeleted &&
        !links.includes(entry) &&
        (entry.isLink || (entry.type !== undefined && !going.has(entry.type.key))),
    );
  await removeNavigation(work, {
    entries: links,
    modules: modules.filter(({ name }) => removed.has(name) && !isNeeded(name)),
  });
}
