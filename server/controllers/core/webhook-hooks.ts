// Webhooks: who may set one up for whom, what it can be for, and what turning one on or off means for what waits.
import { Failure } from "../../../contract/failures.ts";
import { type Message, say } from "../../../contract/messages.ts";
import { write } from "../../../contract/texts/write.ts";
import type { Caller } from "../../access/caller.ts";
import { readCaller } from "../../access/read-caller.ts";
import { sql } from "../../database/sql.ts";
import type { AddressRule } from "../../lib/public-address.ts";
import { planFilter } from "../../plan/filter.ts";
import type { RecordChange, RecordHooks, Work } from "../../records/hooks.ts";
import type { ColumnValues } from "../../records/read/row-values.ts";
import { parseQ } from "../../request/q.ts";
import { addressFault } from "../../webhooks/post.ts";
import { reasonOf } from "../../webhooks/queue-changes.ts";
import { dropWaiting } from "../../webhooks/switch-off.ts";
import { ensureState, isSent, listable, mayActAs, typeNames } from "../../webhooks/webhook.ts";

const MOST_WEBHOOKS = 20;
const EXAMPLE = '{"where": {"leads.rating": "hot"}}';

type Faults = Record<string, Message[]>;

/** `rule`: where anything may be sent. What is sent is checked again, on the connection itself. */
export const webhookHooks = (rule: AddressRule): RecordHooks => ({
  // A leaked key must not outlive its revocation.
  peopleOnly: say("webhooks_by_people"),
  check: async (work, change) => {
    const { operation, after } = change;
    if (operation === "delete" || operation === "purge" || !after) return {};
    const { caller } = work;
    // A workflow's rights are an administrator's, whoever takes its step.
    if (caller.elevated !== undefined) return { name: [say("webhook_not_by_workflow")] };
    // The secret is told to whoever makes one; of many made at once, nobody would hear it.
    if (operation === "add" && work.jobId !== undefined) return { name: [say("webhook_one_at_a_time")] };
    const faults: Faults = operation === "edit" ? {} : await numberFaults(work, change);
    if (operation !== "restore") Object.assign(faults, addressFaults(rule, change));
    if (!mayActAs(caller, after.user_id)) return { ...faults, user_id: [say("webhook_other_user")] };
    const user =
      after.user_id == null ? undefined : await readCaller(work.transaction, caller.organizationId, after.user_id);
    if (!user) return operation === "restore" ? faults : { ...faults, user_id: [say("webhook_user_inactive")] };
    return operation === "restore" ? faults : { ...faults, ...settingFaults(work, user, change.before, after) };
  },
  follow: async (work, change) => {
    const { operation, before, after, id } = change;
    if (operation === "purge") return forget(work, id);
    const [was, is] = [isOn(before), operation !== "delete" && isOn(after)];
    if (operation === "add" || operation === "edit") await approve(work, id);
    if (was && !is) await dropWaiting(work.transaction, work.caller.organizationId, id, ended(work));
    // What happened meanwhile is not made up for: whoever receives it is told to list again.
    if (!was && is && operation !== "add") await beginAgain(work, id);
  },
});

/** One that stays is not asked about: whoever turns it off, or renames it, need not mend it first. */
function addressFaults(rule: AddressRule, { before, after }: RecordChange): Faults {
  const address = after?.address;
  if (address == null || address === before?.address) return {};
  const fault = addressFault(address, rule);
  return fault ? { address: [fault] } : {};
}

const isOn = (row: ColumnValues | undefined): boolean => row?.is_active === "1" && row.deleted !== "1";

const ended = ({ caller }: Work): string => write(say("delivery_ended"), caller.language);

/** Of two that are made at the same time, the second sees the first. */
async function numberFaults({ transaction, caller }: Work, { id }: RecordChange): Promise<Faults> {
  await transaction.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(["webhooks", caller.organizationId])}, 0))`,
  );
  const row = await transaction.row(sql`
    select count(*)::text as count from core__webhooks
    where organization_id = ${caller.organizationId}::bigint and deleted = 0 and id is distinct from ${id ?? null}::bigint`);
  return Number(row?.count) >= MOST_WEBHOOKS ? { name: [say("webhook_too_many", { max: MOST_WEBHOOKS })] } : {};
}

/** Everything is checked as the user that it acts as. */
function settingFaults(
  { snapshot }: Work,
  user: Caller,
  before: ColumnValues | undefined,
  after: ColumnValues,
): Faults {
  const faults: Faults = {};
  const names = typeNames(after.record_types ?? null);
  const types = listable(snapshot, names, user);
  if (names.length === 0) faults.record_types = [say("webhook_needs_types")];
  else if (new Set(types).size < types.length) faults.record_types = [say("webhook_types_twice")];
  const unknown = names.filter((name) => listable(snapshot, [name], user).length === 0);
  if (unknown.length > 0) {
    faults.record_types = unknown.map((type) => say("webhook_unknown_type", { type, user: user.fullName }));
  }
  // One that was saved before can still be renamed and turned off.
  const silent = after.record_types === before?.record_types ? [] : types.filter((type) => !isSent(type));
  if (silent.length > 0) faults.record_types ??= silent.map((type) => say("webhook_never_sent", { type: type.plural }));
  if (after.condition == null || after.condition === "null") return faults;
  try {
    const { header: _, where, ...more } = parseQ(after.condition);
    if (Object.keys(more).length > 0) return { ...faults, condition: [say("webhook_condition_only_where")] };
    if (where === undefined) return { ...faults, condition: [say("webhook_condition", { example: EXAMPLE })] };
    for (const type of types) {
      try {
        planFilter({ snapshot, type, caller: user, now: new Date() }, where);
      } catch (error) {
        if (!(error instanceof Failure) || error.status >= 500) throw error;
        const refused = say("webhook_condition_refused", { type: type.plural, reason: reasonOf(error) });
        faults.condition = [...(faults.condition ?? []), refused];
      }
    }
    return faults;
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    return { ...faults, condition: [say("webhook_condition", { example: EXAMPLE }), reasonOf(error)] };
  }
}

/** Whoever saves it answers for whose rights it sees with. */
async function approve({ transaction, caller }: Work, id: string): Promise<void> {
  await ensureState(transaction, caller, id);
  await transaction.run(sql`
    update core__webhook_state set approved_by = ${caller.userId}::bigint
    where organization_id = ${caller.organizationId}::bigint and webhook_id = ${id}::bigint`);
}

/** A place that is no longer there makes the feed say `reset`, which is what is meant. */
async function beginAgain({ transaction, caller }: Work, id: string): Promise<void> {
  const organization = sql`${caller.organizationId}::bigint`;
  await transaction.run(sql`
    update core__webhook_state set era = 'paused', failures = 0, failing_since = null, retry_at = null
    where organization_id = ${organization} and webhook_id = ${id}::bigint`);
  await transaction.run(sql`
    update core__webhooks set problem = null, failing_since = null
    where organization_id = ${organization} and id = ${id}::bigint`);
}

async function forget({ transaction, caller }: Work, id: string): Promise<void> {
  await transaction.run(sql`
    delete from core__webhook_state where organization_id = ${caller.organizationId}::bigint and webhook_id = ${id}::bigint`);
}
