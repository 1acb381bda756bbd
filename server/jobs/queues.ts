// Reads how long the queues of the service are, over all organizations and processes: jobs and mail. For metrics and doctor.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface Queues {
  readonly jobs: {
    readonly waiting: number;
    /** A chunk of them has failed, and is tried again. */
    readonly failing: number;
    /** Since the job that waits longest had its turn. */
    readonly oldestSeconds: number;
  };
  readonly mail: {
    /** Due, and not sent yet. */
    readonly waiting: number;
    /** Put aside by a limit or a rule. */
    readonly held: number;
    /** Since the message that waits longest was due. */
    readonly oldestSeconds: number;
  };
}

export async function readQueues(db: Queryable): Promise<Queues> {
  const now = sql`(clock_timestamp() at time zone 'utc')`;
  const row = await db.row(sql`
    select j.waiting::text as jobs, j.failing::text as failing, j.oldest::text as jobs_oldest,
      m.waiting::text as mails, m.held::text as held, m.oldest::text as mails_oldest
    from (
      select count(*) as waiting, count(*) filter (where attempts > 0) as failing,
        coalesce(extract(epoch from ${now} - min(turn)), 0) as oldest
      from core__job_queue where held_until is null or held_until < ${now}) j,
    (
      select count(*) filter (where held is null and due <= ${now}) as waiting, count(*) filter (where held is not null) as held,
        coalesce(extract(epoch from ${now} - min(due) filter (where held is null and due <= ${now})), 0) as oldest
      from core__mails where ended is null) m`);
  const number = (text: string | null | undefined) => Number(text ?? 0);
  return {
    jobs: { waiting: number(row?.jobs), failing: number(row?.failing), oldestSeconds: number(row?.jobs_oldest) },
    mail: { waiting: number(row?.mails), held: number(row?.held), oldestSeconds: number(row?.mails_oldest) },
  };
}
