// What a delivery came to is written down: taken, to be tried again after a pause that grows, given up; and what that means for its
// webhook. An endpoint that is gone, or has failed for a day, is not tried any more.
import { say } from "../../contract/messages.ts";
import { write } from "../../contract/texts/write.ts";
import type { Database, Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { type Claimed, FAILURES_IN_A_ROW } from "./claim-delivery.ts";
import type { Posted } from "./post.ts";
import { languageOfOwner, switchOff } from "./switch-off.ts";

/** Seconds until the next attempt after so many failed ones: about twenty hours in all. */
const pauses = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 21_600] as const;
export const MOST_ATTEMPTS = pauses.length + 1;
const DAY = "1 day";
/** An endpoint that fails and fails is tried so often, whatever waits for it. */
const LONGEST_PAUSE_OF_ALL = 900;

const now = sql`now() at time zone 'utc'`;
const LONGEST = 1_000;

export const pauseAfter = (attempts: number): number =>
  pauses[Math.min(Math.max(attempts, 1), pauses.length) - 1] ?? LONGEST_PAUSE_OF_ALL;

/** It was not sent, and will not be. */
export async function noteDropped(database: Database, claimed: Claimed, problem: string): Promise<void> {
  await database.run(sql`
    update core__webhook_deliveries set status = 'dropped', next_attempt = null, problem = ${problem.slice(0, LONGEST)}
    where ${which(claimed)}`);
}

const which = ({ organizationId, id }: Claimed) =>
  sql`organization_id = ${organizationId}::bigint and id = ${id}::uuid`;

const state = ({ organizationId, webhookId }: Claimed) =>
  sql`organization_id = ${organizationId}::bigint and webhook_id = ${webhookId}::bigint`;

const webhook = ({ organizationId, webhookId }: Claimed) =>
  sql`organization_id = ${organizationId}::bigint and id = ${webhookId}::bigint`;

export const noteOutcome = (
  database: Database,
  snapshot: Snapshot,
  claimed: Claimed,
  posted: Posted,
): Promise<"delivered" | "failed"> =>
  database.transaction(async (transaction) => {
    if (posted.problem === undefined) {
      await noteTaken(transaction, claimed, posted);
      return "delivered";
    }
    await noteFailed(transaction, snapshot, claimed, posted, posted.problem);
    return "failed";
  });

async function noteTaken(transaction: Queryable, claimed: Claimed, { status, milliseconds, answer }: Posted) {
  await transaction.run(sql`
    update core__webhook_state set failures = 0, failing_since = null, retry_at = null where ${state(claimed)}`);
  await transaction.run(sql`
    update core__webhook_deliveries set status = 'delivered', next_attempt = null, problem = null,
      answer_status = ${String(status)}::bigint, milliseconds = ${String(milliseconds)}::bigint, answer = ${answer || null}
    where ${which(claimed)}`);
  await transaction.run(sql`
    update core__webhooks set last_delivered = ${now}, failing_since = null, problem = null
    where ${webhook(claimed)} and is_active = 1`);
}

async function noteFailed(
  transaction: Queryable,
  snapshot: Snapshot,
  claimed: Claimed,
  { status, milliseconds, answer, retrySeconds }: Posted,
  problem: NonNullable<Posted["problem"]>,
): Promise<void> {
  const language = await languageOfOwner(transaction, claimed.organizationId, claimed.webhookId);
  const text = write(problem, language).slice(0, LONGEST);
  const time = await transaction.row(sql`select (${now})::text as now`);
  // A value: Citus takes no clock beside a column.
  const at = sql`${time?.now ?? null}::timestamp`;
  // All of the endpoint, or only this: whoever asks for a pause means all.
  const hold = (status === 429 || status === 503) && retrySeconds !== undefined ? retrySeconds : 0;
  const failing = await transaction.row(sql`
    update core__webhook_state set failures = failures + 1, failing_since = coalesce(failing_since, ${at}),
      retry_at = ${at} + make_interval(secs => greatest(${hold}::double precision,
        case when failures + 1 >= ${FAILURES_IN_A_ROW}::integer
          then least(${LONGEST_PAUSE_OF_ALL}::double precision, 5 * power(2, failures + 1 - ${FAILURES_IN_A_ROW}::integer))
          else 0 end))
    where ${state(claimed)}
    returning (failing_since <= ${at} - ${DAY}::interval)::integer as for_a_day,
      (failing_since <= ${at} - interval '12 hours')::integer as for_long, failing_since`);
  // What was sent and answered so is not to be called "not sent" with the rest that waits.
  const isLast = status === 410 || failing?.for_a_day === "1";
  const pause = Math.max(pauseAfter(claimed.attempts), retrySeconds ?? 0);
  const ended = await transaction.row(sql`
    update core__webhook_deliveries set answer_status = ${status === undefined ? null : String(status)}::bigint,
      milliseconds = ${String(milliseconds)}::bigint, answer = ${answer || null}, problem = ${text},
      status = case when status <> 'waiting' then status
        when ${isLast ? "1" : "0"} = '1' or attempts >= ${MOST_ATTEMPTS}::bigint or created < ${at} - ${DAY}::interval
          then 'failed' else 'waiting' end,
      next_attempt = case when status = 'waiting' and ${isLast ? "1" : "0"} = '0' and attempts < ${MOST_ATTEMPTS}::bigint
        and created >= ${at} - ${DAY}::interval then ${at} + make_interval(secs => ${pause}::double precision) end
    where ${which(claimed)} returning status`);
  if (!failing) return;
  await transaction.run(sql`
    update core__webhooks set failing_since = ${failing.failing_since ?? null}::timestamp, problem = ${text}
    where ${webhook(claimed)} and is_active = 1`);
  const named = { organizationId: claimed.organizationId, id: claimed.webhookId };
  const isOver = failing.for_a_day === "1" || (failing.for_long === "1" && ended?.status === "failed");
  if (status === 410) await switchOff(transaction, snapshot, named, say("webhook_off_gone"));
  else if (isOver) await switchOff(transaction, snapshot, named, say("webhook_off_failing", { reason: problem }));
}
