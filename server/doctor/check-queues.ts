// Looks at what waits to be done: jobs, mail, and the last backup.
import { type LastBackups, readLastBackups } from "../backup/results.ts";
import type { Config } from "../config.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { type Queues, readQueues } from "../jobs/queues.ts";
import { error, type Finding, fine, orFine, warning } from "./finding.ts";

const JOB_MINUTES = 10;
const MAIL_MINUTES = 30;
const minutes = (seconds: number): number => Math.round(seconds / 60);

export function judgeQueues({ jobs, mail }: Queues, failedMails: number): readonly Finding[] {
  const found: Finding[] = [];
  if (jobs.failing > 0)
    found.push(warning("Jobs", `${jobs.failing} of ${jobs.waiting} jobs fail and are tried again. The log says why.`));
  if (minutes(jobs.oldestSeconds) >= JOB_MINUTES)
    found.push(
      warning("Jobs", `A job has waited for ${minutes(jobs.oldestSeconds)} min. Check that a process is running.`),
    );
  if (minutes(mail.oldestSeconds) >= MAIL_MINUTES)
    found.push(
      warning(
        "Mail",
        `${mail.waiting} emails are overdue, the oldest by ${minutes(mail.oldestSeconds)} min. Check SMTP_URL and the log.`,
      ),
    );
  if (failedMails > 0)
    found.push(warning("Mail", `${failedMails} emails could not be delivered within the last day. The log says why.`));
  if (mail.held > 0)
    found.push(
      warning("Mail", `${mail.held} emails are on hold. Administrators see the reasons in their notifications.`),
    );
  return orFine(found, fine("Queues", `${jobs.waiting} jobs and ${mail.waiting} emails are waiting.`));
}

export async function checkQueues(db: Queryable): Promise<readonly Finding[]> {
  const row = await db.row(sql`
    select count(*)::text as failed from core__mails
    where ended > (now() at time zone 'utc') - interval '1 day' and outcome = 'failed'`);
  return judgeQueues(await readQueues(db), Number(row?.failed));
}

const OVERDUE = 2;

export function judgeBackups(
  { succeeded, failure }: LastBackups,
  schedule: Config["backups"],
  nowSeconds: number,
): readonly Finding[] {
  const age = succeeded === undefined ? undefined : nowSeconds - succeeded;
  const last = age === undefined ? "There is no backup yet." : `The last backup was made ${agoOf(age)} ago.`;
  if (failure !== undefined) return [error("Backups", `${last} The newest one failed: ${failure}`)];
  if (schedule === undefined)
    return [warning("Backups", `${last} None are made by a schedule here: set BACKUP_DIR, or run dossier backup.`)];
  if (age === undefined || age > OVERDUE * schedule.everySeconds)
    return [warning("Backups", `${last} Check that the service runs and that BACKUP_DIR can be written.`)];
  return [fine("Backups", last)];
}

const agoOf = (seconds: number): string =>
  seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;

export const checkBackups = async (db: Queryable, config: Config): Promise<readonly Finding[]> =>
  judgeBackups(await readLastBackups(db), config.backups, Date.now() / 1000);
