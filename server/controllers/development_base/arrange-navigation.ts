// development_base/menus navigation and arrange: the whole navigation for those who design it, hidden parts included, and the
// way to change all of it at once: order, names, icons, what is hidden from whom, links and modules of one's own.
import { createHash } from "node:crypto";
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { sql } from "../../database/sql.ts";
import { type Navigation, readNavigation, type StoredEntry } from "../../designs/navigation/read-navigation.ts";
import { navigationSchema, saveNavigation, type WantedNavigation } from "../../designs/navigation/save-navigation.ts";
import { isSetup, modulesOf } from "../../modules/development_base/menu-data.ts";
import type { Operation } from "../../operations/operation.ts";
import { requireCaller, requireDesigner } from "../../operations/require-caller.ts";
import { runWrite } from "../../operations/write.ts";
import { parseSentJson } from "../../request/json/sent-json.ts";
import { textAt } from "../../request/tree.ts";

/** What is there to be arranged. Deleted entries are not among it; they come back with their record. */
const arranged = ({ modules, entries }: Navigation, ofTypes: ReadonlySet<string>) =>
  modules.map((module) => ({
    name: module.name,
    label: module.label,
    icon: module.icon,
    is_active: module.isActive,
    hidden_for: module.hiddenFor,
    /** A module that record types are in is there as long as they are. */
    is_own: !ofTypes.has(module.name),
    entries: entries.filter((entry) => entry.module === module.name && isArranged(entry)).map(entryOf),
  }));

const isArranged = (entry: StoredEntry): boolean => !entry.isDeleted && (entry.isLink || entry.type !== undefined);

const entryOf = (entry: StoredEntry) => ({
  id: entry.id ?? null,
  key: entry.key,
  label: entry.label,
  url: entry.url,
  icon: entry.icon,
  is_active: entry.isActive,
  hidden_for: entry.hiddenFor,
  /** The record type that it lists, and what that is called by itself; null for a link. */
  controller: entry.type?.key ?? null,
  plural: entry.type?.plural ?? null,
  is_setup: entry.type !== undefined && isSetup(entry.type),
});

export const navigation: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    const { database } = context.services;
    const stored = await readNavigation(database, context.snapshot);
    const roles = await database.rows(sql`
      select code, name from access_controls__roles
      where organization_id = ${requireCaller(context).organizationId}::bigint and deleted = 0 order by name, id`);
    const ofTypes = new Set(modulesOf(context.snapshot).map((module) => module.name));
    return { body: { data: { modules: arranged(stored, ofTypes), roles, revision: revisionOf(stored) } } };
  },
};

/** What a navigation is known by, until somebody changes it. */
function revisionOf({ modules, entries }: Navigation): string {
  const text = JSON.stringify([modules, entries.map(({ type: _, ...entry }) => entry)]);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

export const arrange: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requireDesigner(context);
    const wanted = sentNavigation(textAt(context.call.parameters, "navigation"));
    const revision = textAt(context.call.parameters, "revision");
    return runWrite(context, async (work) => {
      // Two who arrange at once are told of each other.
      await work.transaction.run(sql`select pg_advisory_xact_lock(hashtextextended('navigation', 0))`);
      const stored = await readNavigation(work.transaction, work.snapshot);
      if (revision !== undefined && revision !== revisionOf(stored)) {
        throw new Failure("conflict", { with: { reason: say("navigation_changed") } });
      }
      await saveNavigation(work, stored, wanted, { removes: true });
      const now = await readNavigation(work.transaction, work.snapshot);
      return async () => ({ message: [say("navigation_saved")], body: { data: { revision: revisionOf(now) } } });
    });
  },
};

function sentNavigation(text: string | undefined): WantedNavigation {
  const parsed = navigationSchema.safeParse(parseSentJson(text ?? ""));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const reason = say("bad_navigation", { path: issue?.path.join(".") ?? "" });
    throw new Failure("malformed_parameter", { with: { name: "navigation", reason } });
  }
  const names = parsed.data.map((module) => module.name);
  const ids = parsed.data.flatMap(({ entries }) => entries.flatMap(({ id }) => id ?? []));
  if (new Set(names).size < names.length || new Set(ids).size < ids.length) {
    const reason = say("navigation_twice");
    throw new Failure("malformed_parameter", { with: { name: "navigation", reason } });
  }
  return parsed.data;
}
