// Takes a step that was taken; tells those whose turn it is now, and sends what the workflow's effects ask for. All of it
// commits with the step, or none.

import { evaluate } from "../../../contract/conditions.ts";
import type { ExpressionScope } from "../../../contract/expressions.ts";
import { say } from "../../../contract/messages.ts";
import { type Language, languageOf, write } from "../../../contract/texts/write.ts";
import type { Actor } from "../../access/acl.ts";
import { usersWhoRead } from "../../access/readers.ts";
import { sql } from "../../database/sql.ts";
import { queueMail, queueMailToUser } from "../../mail/queue-mail.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { principalsOf } from "../../workflow/actor-context.ts";
import { actorsFor, pendingActors } from "../../workflow/state.ts";
import type { Effect } from "../../workflow/workflow.ts";
import type { Work } from "../hooks.ts";
import { namesForReaders } from "../read/names-for-readers.ts";
import type { Draft } from "../save/draft.ts";
import { outsideReader, readerOf } from "./message-readers.ts";
import { addNotifications } from "./notifications.ts";
import { type Reader, writeFor } from "./reader-texts.ts";
import { effectsOf, scopeOf } from "./run-effects.ts";
import type { WorkflowStep } from "./workflow-step.ts";

/** A role or a group can be large; nobody reads the five hundred and first notification. */
const MOST_TOLD = 500;

/** Of one effect. */
const MOST_MAILED = 100;

type Written = Draft & { readonly id: string };

export async function notifyActors(work: Work, draft: Written, step: WorkflowStep): Promise<void> {
  await tellActors(work, draft, step);
  const scope = scopeOf(work, draft, step.at, new Map());
  for (const effect of effectsOf(step)) {
    if (effect.when !== undefined && !evaluate(effect.when, scope.read)) continue;
    if (effect.kind === "notify") {
      for (const user of await usersOf(work, draft, actorsFor(effect.to, scope.read))) {
        const reader = user === work.caller.userId ? undefined : await readerOf(work, user);
        if (reader === undefined) continue;
        const { name, texts } = await writeFor(work, draft, [effect.text], reader, scope);
        await notify(work, draft, [{ userId: user, name }], texts.join(""));
      }
    } else if (effect.kind === "mail") {
      await sendMail(work, draft, effect, scope);
    }
  }
}

/** Whoever's turn it has become. */
async function tellActors(work: Work, draft: Written, { before, begins, taken, at }: WorkflowStep): Promise<void> {
  if (!begins && !taken?.moved) return;
  const state = taken?.state ?? before;
  const { read } = scopeOf(work, draft, at, new Map());
  const waiting = pendingActors(state, read).filter((actor) => !isCaller(work, draft, actor));
  if (waiting.length === 0) return;
  const users = await usersOf(work, draft, waiting);
  const names = await namesForReaders(work, draft, users);
  const languages = await languagesOf(work, users);
  const said = say("note_your_turn", { type: draft.type.label, stage: state.stage.name });
  for (const userId of users) {
    const told = { userId, name: names.get(userId) ?? null };
    await notify(work, draft, [told], write(said, languages.get(userId) ?? "en"));
  }
}

/** Each person's own, else the organization's. */
async function languagesOf({ transaction, caller }: Work, users: readonly string[]): Promise<Map<string, Language>> {
  const rows = await transaction.rows(sql`
    select u.id::text as id, u.locale, o.locale as organization_locale from access_controls__users u
    join access_controls__organizations o on o.organization_id = ${caller.organizationId}::bigint and o.id = u.organization_id
    where u.organization_id = ${caller.organizationId}::bigint and u.id = any(${users}::bigint[])`);
  return new Map(
    rows.map((row) => [row.id ?? "", languageOf(row.locale) ?? languageOf(row.organization_locale) ?? "en"]),
  );
}

const isCaller = ({ caller }: Work, { after }: Draft, actor: Actor): boolean =>
  actor === `user:${caller.userId}` || (actor === "owner" && after.owned_by === caller.userId);

const notify = async (
  work: Work,
  draft: Written,
  people: readonly { readonly userId: string; readonly name: string | null }[],
  text: string,
): Promise<void> => {
  const { transaction, snapshot, caller } = work;
  const entries = people.map(({ userId, name }) => {
    const record = { type: draft.type.key, id: draft.id, name };
    return { userId, kind: "workflow", text, record, byUserId: caller.userId };
  });
  await addNotifications(transaction, snapshot, caller.organizationId, entries);
};

/** Users read it by their own rights; who is no user of ours, by the rights of whoever took the step. */
async function sendMail(
  work: Work,
  draft: Written,
  effect: Extract<Effect, { kind: "mail" }>,
  scope: ExpressionScope,
): Promise<void> {
  const { transaction, caller } = work;
  const contentFor = async (reader: Reader) => {
    const { name, texts } = await writeFor(work, draft, [effect.subject, effect.text], reader, scope);
    const [subject = "", text = ""] = texts;
    return {
      kind: "workflow",
      subject: subject.replace(/\s+/gu, " ").trim(),
      text,
      record: name ?? draft.type.label,
      link: `/${draft.type.key}/view?id=${draft.id}`,
    } as const;
  };
  const people = effect.to.flatMap((to) => (to.startsWith("email:") ? [] : [to]));
  // What is left are actors.
  const actors = actorsFor(people as Parameters<typeof actorsFor>[0], scope.read);
  for (const user of (await usersOf(work, draft, actors)).slice(0, MOST_MAILED)) {
    const reader = await readerOf(work, user);
    if (reader) await queueMailToUser(transaction, caller.organizationId, user, await contentFor(reader));
  }
  for (const to of effect.to) {
    const address = to.startsWith("email:") ? scope.read(to.slice("email:".length)) : null;
    if (typeof address !== "string") continue;
    const reader = await outsideReader(work);
    const content = await contentFor(reader);
    await queueMail(transaction, caller.organizationId, { address, locale: reader.preferences.locale }, content);
  }
}

/** The people behind actors: users themselves, everybody in a role, everybody in a group and the groups in it. */
async function usersOf(work: Work, draft: Written, actors: readonly Actor[]): Promise<string[]> {
  const users = await everybodyBehind(work, draft, actors);
  if (!draft.type.confidential || users.length === 0) return users;
  // Of a confidential record nobody is told who may not read it.
  const record = { type: draft.type, id: draft.id, idType: idTypeOf(draft.type) };
  const which = sql`u.id = any(${users}::bigint[])`;
  const readers = await work.transaction.rows(usersWhoRead(work.caller.organizationId, record, which));
  return readers.map((row) => row.id ?? "");
}

async function everybodyBehind(work: Work, draft: Draft, actors: readonly Actor[]): Promise<string[]> {
  const { transaction, caller } = work;
  const { organizationId } = caller;
  const found = await principalsOf(transaction, organizationId, draft.after.owned_by ?? null, actors);
  if (found.size === 0) return [];
  const org = sql`${organizationId}::bigint`;
  const principals = sql`${[...found.values()].map(String)}::bigint[]`;
  const rows = await transaction.rows(sql`
    with recursive within(id) as (
      select g.id from access_controls__groups g
      where g.organization_id = ${org} and g.principal_id = any(${principals}) and g.deleted = 0
      union
      select g.id from within
      join access_controls__group_members m on m.organization_id = ${org} and m.group_id = within.id and m.deleted = 0
      join access_controls__groups g on g.organization_id = ${org} and g.id = m.member_group_id and g.deleted = 0
    )
    select u.id::text as id from access_controls__users u
    where u.organization_id = ${org} and u.deleted = 0 and u.is_active = 1 and (
      u.principal_id = any(${principals})
      or u.id in (select m.user_id from access_controls__roles_users m
        join access_controls__roles r on r.organization_id = ${org} and r.id = m.role_id and r.deleted = 0
        where m.organization_id = ${org} and m.deleted = 0 and r.principal_id = any(${principals}))
      or u.id in (select m.user_id from access_controls__group_members m
        where m.organization_id = ${org} and m.deleted = 0 and m.group_id in (select id from within)))
    order by u.id limit ${MOST_TOLD}::bigint`);
  return rows.flatMap((row) => row.id ?? []);
}
