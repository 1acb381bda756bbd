// Workflows: one that cannot work is refused with everything that is wrong with it, and every change of one is a new
// version. Records on their way go on by the version that they started with.

import { type Message, type MessagesByField, say } from "../../../contract/messages.ts";
import type { WorkflowDefinition } from "../../../contract/workflow.ts";
import { WORKFLOWS_LOCK } from "../../database/locks.ts";
import { sql } from "../../database/sql.ts";
import { type DesignFault, inDefinition } from "../../lib/design-fault.ts";
import { keptByTheService } from "../../metadata/kept-by-the-service.ts";
import type { HookTable, RecordChange, Work } from "../../records/hooks.ts";
import { addVersion } from "../../records/workflow/workflow-versions.ts";
import { checkWorkflow } from "../../workflow/check-workflow.ts";
import { readDefinition } from "../../workflow/definition-schema.ts";
import { takesWorkflow } from "../../workflow/effect-fields.ts";

const kept = { bookkeeping: true, refuses: { restore: keptByTheService, purge: keptByTheService } } as const;

export const workflowHooks: HookTable = {
  "core/workflows": {
    administratorsOnly: true,
    refuses: { purge: "refuses_workflow_purge" },
    prepare: async () => ({ version: "1" }),
    check: (work, change) => checkChange(work, change),
    follow: async (work, { id, operation, before, after }) => {
      if (after?.definition == null || after.definition === before?.definition) return;
      if (operation !== "add" && operation !== "edit") return;
      const checked = readDefinition(JSON.parse(after.definition));
      if (!checked.ok) throw new Error("a workflow was saved unchecked");
      const { definition } = checked;
      const { transaction, snapshot, caller } = work;
      await addVersion(transaction, snapshot, caller.organizationId, id, definition, caller.userId);
    },
  },
  "core/workflow_nodes": kept,
  "core/workflow_versions": kept,
  "core/stage_log": kept,
};

type Faults = MessagesByField;

async function checkChange(work: Work, { id, operation, before, after }: RecordChange): Promise<Faults> {
  if (operation === "delete" || operation === "purge" || after?.controller == null) return {};
  const type = work.snapshot.types.get(after.controller);
  if (!type) return { controller: [say("unknown_type")] };
  if (!takesWorkflow(type)) return { controller: [say("no_workflow", { type: type.plural })] };
  if (before && before.controller !== after.controller) return { controller: [say("workflow_type_fixed")] };
  const faults: Record<string, readonly Message[]> = {};
  if (after.is_active === "1") {
    const { organizationId } = work.caller;
    // Of two that are saved at the same time, the second sees the first.
    await work.transaction.run(
      sql`select pg_advisory_xact_lock(${WORKFLOWS_LOCK}::integer, hashtext(${`${organizationId} ${type.key}`}))`,
    );
    const other = await work.transaction.row(sql`
      select name from core__workflows
      where organization_id = ${organizationId}::bigint and controller = ${type.key} and is_active = 1 and deleted = 0
        and id is distinct from ${id ?? null}::uuid limit 1`);
    if (other) {
      faults.is_active = [say("other_workflow_active", { type: type.plural, name: other.name ?? "" })];
    }
  }
  if (after.definition == null || after.definition === before?.definition) return faults;
  const stored = work.comesBack ? after.definition : (before?.definition ?? null);
  const checked = checkWorkflow(JSON.parse(after.definition), type, work.snapshot, stored);
  const wrong = checked.ok ? await unknownActors(work, checked.definition) : checked.faults;
  if (wrong.length > 0) faults.definition = wrong.map(inDefinition);
  return faults;
}

/** Roles, groups and users that are not there. */
async function unknownActors(
  { transaction, caller }: Work,
  { stages, transitions }: WorkflowDefinition,
): Promise<DesignFault[]> {
  const effects = [...stages.flatMap((one) => one.enter ?? []), ...transitions.flatMap((one) => one.effects ?? [])];
  const told = effects.flatMap((one) => ("mail" in one ? one.mail.to : "notify" in one ? one.notify.to : []));
  const named = new Set<string>([
    ...stages.flatMap((one) => one.actors ?? []),
    ...transitions.flatMap((one) => one.by ?? []),
    ...told,
  ]);
  const org = sql`${caller.organizationId}::bigint`;
  const rows = await transaction.rows<{ actor: string }>(sql`
    select 'role:' || code as actor from access_controls__roles where organization_id = ${org} and deleted = 0
    union all select 'group:' || id from access_controls__groups where organization_id = ${org} and deleted = 0
    union all select 'user:' || id from access_controls__users where organization_id = ${org} and deleted = 0
      and 'user:' || id = any(${[...named]}::text[])`);
  const known = new Set(rows.map((row) => row.actor));
  return [...named]
    .filter((name) => /^(?:role|group|user):/u.test(name) && !known.has(name))
    .map((name) => ({ at: "", wrong: say("actor_missing", { actor: name }) }));
}
