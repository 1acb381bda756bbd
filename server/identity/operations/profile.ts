// profile: a person's own names and preferences, to read with what can be chosen, and to change. Every user may: it is
// about nobody else.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { recordChanges } from "../../database/changes.ts";
import { eventOf } from "../../database/events/followed-types.ts";
import { notify } from "../../database/processes/notify.ts";
import { ident, join, sql } from "../../database/sql.ts";
import { localeCode } from "../../lib/locale-code.ts";
import { addressed } from "../../operations/addressed.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { runWrite } from "../../operations/write.ts";
import { changesText, writeRevisions } from "../../records/history/revisions.ts";
import { textAt } from "../../request/tree.ts";
import { preferenceFaults, preferenceOptions } from "../preferences.ts";
import { sanitizeName } from "../sanitize-name.ts";
import { userData } from "../user-data.ts";
import { sentValues } from "./sent-values.ts";

const editable = ["first_name", "last_name", "title", "time_zone", "hour_format", "locale", "theme"] as const;

export const profile: Operation = {
  methods: ["GET", "POST"],
  authentication: "required",
  reads: "by GET",
  run: async (context) => (context.call.method === "GET" ? show(context) : change(context)),
};

async function show(context: OperationContext) {
  const { caller } = addressed(context);
  const [user, options] = await Promise.all([
    userData(context.services.database, caller.organizationId, caller.userId),
    preferenceOptions(context.services.database),
  ]);
  return { body: { ...user, ...options } };
}

async function change(context: OperationContext) {
  const { caller, type } = addressed(context);
  const sent = sentValues(context.call, "users");
  const values: Record<string, string | null> = {};
  for (const name of editable) {
    if (!Object.hasOwn(sent, name)) continue;
    const text = textAt(sent, name) ?? null;
    values[name] =
      text === null ? null : /name|title/.test(name) ? sanitizeName(text) : name === "locale" ? localeCode(text) : text;
  }
  return runWrite(context, async (work) => {
    const faults = await preferenceFaults(work.transaction, values);
    for (const name of ["last_name", "time_zone", "hour_format", "locale", "theme"]) {
      if (name in values && !values[name])
        faults[name] = [say("required", { field: type.field.get(name)?.label ?? name })];
    }
    if (Object.keys(faults).length > 0) {
      const byField = Object.fromEntries(Object.entries(faults).map(([name, said]) => [`users.${name}`, said]));
      throw new Failure("invalid", {
        errors: Object.values(byField).flat(),
        byField,
        body: { data: { users: values } },
      });
    }
    const which = sql`organization_id = ${caller.organizationId}::bigint and id = ${caller.userId}::bigint`;
    const columns = [...editable, "name", "revision"] as const;
    const before = await work.transaction.row(sql`
      select ${join(columns.map((name) => ident(name)))}, acl_id from access_controls__users where ${which} for update`);
    const after = { ...before, ...values };
    after.name = [after.first_name, after.last_name].filter(Boolean).join(" ");
    const changed = columns.filter((name) => (before?.[name] ?? null) !== (after[name] ?? null));
    if (before && changed.length > 0) {
      const sets = changed.map((name) => sql`${ident(name)} = ${after[name] ?? null}`);
      await work.transaction.run(sql`
        update access_controls__users set ${join(sets)}, revision = revision + 1, modified = now() at time zone 'utc',
          modified_by = ${caller.userId}::bigint where ${which}`);
      const number = (BigInt(before.revision ?? "0") + 1n).toString();
      await recordChanges(work.transaction, caller.organizationId, type.key, [
        { aclId: before.acl_id ?? "0", delta: 0, ...eventOf(type, caller.userId, "edit", number) },
      ]);
      const { acl_id: _old, ...was } = before;
      const changes = changesText(type, was, { ...was, ...after, acl_id: null });
      await writeRevisions(work, [{ type, id: caller.userId, number, operation: "edit", changes }]);
      // Locale and time zone are part of what is known of a caller.
      await notify(work.transaction, "dossier_access", caller.organizationId);
      work.accessChanges.add("callers");
    }
    return async ({ db }) => ({
      message: [say("profile_saved")],
      body: await userData(db, caller.organizationId, caller.userId),
    });
  });
}
