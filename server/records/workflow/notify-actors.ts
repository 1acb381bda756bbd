// Takes completed workflow steps of records of one type; notifies the people whose turn it is now, and sends what the workflows'
// effects ask for, in the transaction of the steps. The statements are the same number for any number of records.

import { evaluate } from "../../../contract/conditions.ts";
import type { ExpressionScope } from "../../../contract/expressions.ts";
import { say } from "../../../contract/messages.ts";
import { write } from "../../../contract/texts/write.ts";
import type { Actor } from "../../access/acl.ts";
import { queueMail, queueMailToUser } from "../../mail/queue-mail.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { actorsFor, pendingActors } from "../../workflow/state.ts";
import type { Effect } from "../../workflow/workflow.ts";
import type { Work } from "../hooks.ts";
import { namesForReaders, readersAmong } from "../read/names-for-readers.ts";
import type { Draft } from "../save/draft.ts";
import { languagesOf } from "./languages-of.ts";
import { outsideReader, readerOf } from "./message-readers.ts";
import { addNotifications, type NotificationEntry } from "./notifications.ts";
import { peopleBehind } from "./people-behind.ts";
import { type Reader, type Rendering, writeFor } from "./reader-texts.ts";
import { effectsOf, scopeOf } from "./run-effects.ts";
import type { WorkflowStep } from "./workflow-step.ts";

/** Of one effect. */
const MOST_MAILED = 100;

/** A record that was written, with the step that it took. */
export interface Stepped {
  readonly id: string;
  readonly main: Draft;
  readonly step: WorkflowStep;
}

/** A record that somebody is to be told of. */
interface Subject {
  readonly id: string;
  readonly main: Draft;
  readonly scope: ExpressionScope;
  /** What is told of it, in its order. */
  readonly told: NotificationEntry[];
}

type Of<K extends Effect["kind"]> = Extract<Effect, { readonly kind: K }>;

export async function notifyActors(work: Work, type: RecordType, stepped: readonly Stepped[]): Promise<void> {
  const subjects = stepped.map(({ id, main, step }): Subject => {
    const scope = scopeOf(work, { ...main, id }, step.at, new Map());
    return { id, main, scope, told: [] };
  });
  await tellActors(work, type, stepped, subjects);
  for (const [effect, concerned] of effectsInTurn(stepped, subjects)) {
    if (effect.kind === "notify") await tellOf(work, type, effect, concerned);
    else if (effect.kind === "mail") await sendMail(work, type, effect, concerned);
  }
  const { transaction, snapshot, caller } = work;
  await addNotifications(
    transaction,
    snapshot,
    caller.organizationId,
    subjects.flatMap(({ told }) => told),
  );
}

/** Each effect with the records for which it holds; those of one record come in their order. */
function* effectsInTurn(
  stepped: readonly Stepped[],
  subjects: readonly Subject[],
): Generator<readonly [Effect, readonly Subject[]]> {
  const effects = stepped.map(({ step }) => effectsOf(step));
  const most = Math.max(0, ...effects.map((own) => own.length));
  for (let turn = 0; turn < most; turn += 1) {
    const groups = new Map<Effect, Subject[]>();
    for (const [index, subject] of subjects.entries()) {
      const effect = effects[index]?.[turn];
      if (!effect || (effect.when !== undefined && !evaluate(effect.when, subject.scope.read))) continue;
      groups.set(effect, [...(groups.get(effect) ?? []), subject]);
    }
    yield* groups;
  }
}

/** Whoever's turn it has become. */
async function tellActors(
  work: Work,
  type: RecordType,
  stepped: readonly Stepped[],
  subjects: readonly Subject[],
): Promise<void> {
  const waiting = subjects.flatMap((subject, index) => {
    const step = stepped[index]?.step;
    if (!step || (!step.begins && !step.taken?.moved)) return [];
    const state = step.taken?.state ?? step.before;
    const actors = pendingActors(state, subject.scope.read).filter((actor) => !isCaller(work, subject.main, actor));
    return actors.length === 0 ? [] : [{ subject, actors, stage: state.stage.name }];
  });
  const people = await usersOf(work, type, waiting);
  const pairs = waiting.flatMap(({ subject }, index) =>
    (people[index] ?? []).map((userId) => ({ id: subject.id, userId })),
  );
  const nameFor = await namesForReaders(work, type, pairs);
  const languages = await languagesOf(work, [...new Set(people.flat())]);
  for (const [index, { subject, stage }] of waiting.entries()) {
    const said = say("note_your_turn", { type: type.label, stage });
    for (const userId of people[index] ?? []) {
      const name = nameFor({ id: subject.id, userId });
      subject.told.push(entry(work, subject, userId, name, write(said, languages.get(userId) ?? "en")));
    }
  }
}

const isCaller = ({ caller }: Work, { after }: Draft, actor: Actor): boolean =>
  actor === `user:${caller.userId}` || (actor === "owner" && after.owned_by === caller.userId);

const entry = (
  { caller }: Work,
  { id, main }: Subject,
  userId: string,
  name: string | null,
  text: string,
): NotificationEntry => {
  const record = { type: main.type.key, id, name };
  return { userId, kind: "workflow", text, record, byUserId: caller.userId };
};

async function tellOf(
  work: Work,
  type: RecordType,
  { to, text }: Of<"notify">,
  subjects: readonly Subject[],
): Promise<void> {
  const asked = subjects.map((subject) => ({ subject, actors: actorsFor(to, subject.scope.read) }));
  const people = (await usersOf(work, type, asked)).map((users) => users.filter((user) => user !== work.caller.userId));
  const textFor = await writtenFor(work, type, subjects, people, [text]);
  for (const [index, subject] of subjects.entries()) {
    for (const userId of people[index] ?? []) {
      const written = textFor(subject, userId);
      if (written) subject.told.push(entry(work, subject, userId, written.name, written.texts.join("")));
    }
  }
}

/** What each person reads of each record. Undefined for who cannot read anything. */
async function writtenFor(
  work: Work,
  type: RecordType,
  subjects: readonly Subject[],
  people: readonly (readonly string[])[],
  templates: Parameters<typeof writeFor>[3],
): Promise<(subject: Subject, userId: string) => Rendering | undefined> {
  const found = new Map<string, Map<Subject, Rendering>>();
  for (const userId of new Set(people.flat())) {
    const reader = await readerOf(work, userId);
    if (!reader) continue;
    const own = subjects.filter((_, index) => people[index]?.includes(userId));
    const written = await writeFor(work, type, own, templates, reader);
    found.set(userId, new Map(own.flatMap((subject, index) => (written[index] ? [[subject, written[index]]] : []))));
  }
  return (subject, userId) => found.get(userId)?.get(subject);
}

/** Users read it by their own rights; who is no user of ours, by the rights of whoever took the step. */
async function sendMail(work: Work, type: RecordType, effect: Of<"mail">, subjects: readonly Subject[]): Promise<void> {
  const { transaction, caller } = work;
  const templates = [effect.subject, effect.text];
  const people = effect.to.flatMap((to) => (to.startsWith("email:") ? [] : [to]));
  const asked = subjects.map((subject) => {
    // What is left are actors.
    const actors = actorsFor(people as Parameters<typeof actorsFor>[0], subject.scope.read);
    return { subject, actors };
  });
  const users = (await usersOf(work, type, asked)).map((found) => found.slice(0, MOST_MAILED));
  const mailFor = await writtenFor(work, type, subjects, users, templates);
  const outside = effect.to.some((to) => to.startsWith("email:")) ? await outsideReader(work) : undefined;
  const fromOutside = outside && (await writeFor(work, type, subjects, templates, outside));
  for (const [index, subject] of subjects.entries()) {
    for (const user of users[index] ?? []) {
      const written = mailFor(subject, user);
      if (written) await queueMailToUser(transaction, caller.organizationId, user, contentOf(type, subject, written));
    }
    const written = fromOutside?.[index];
    if (written && outside) await mailOutside(work, effect, subject, outside, contentOf(type, subject, written));
  }
}

async function mailOutside(
  { transaction, caller }: Work,
  { to: recipients }: Of<"mail">,
  { scope }: Subject,
  { preferences }: Reader,
  content: ReturnType<typeof contentOf>,
): Promise<void> {
  for (const to of recipients) {
    const address = to.startsWith("email:") ? scope.read(to.slice("email:".length)) : null;
    if (typeof address !== "string") continue;
    await queueMail(transaction, caller.organizationId, { address, locale: preferences.locale }, content);
  }
}

function contentOf(type: RecordType, { id }: Subject, { name, texts: [subject = "", text = ""] }: Rendering) {
  return {
    kind: "workflow",
    subject: subject.replace(/\s+/gu, " ").trim(),
    text,
    record: name ?? type.label,
    link: `/${type.key}/view?id=${id}`,
  } as const;
}

/** The people behind the actors of each record. Of a confidential record nobody is told who may not read it. */
async function usersOf(
  work: Work,
  type: RecordType,
  asked: readonly { readonly subject: Subject; readonly actors: readonly Actor[] }[],
): Promise<readonly (readonly string[])[]> {
  const users = await peopleBehind(
    work,
    asked.map(({ subject, actors }) => ({ owner: subject.main.after.owned_by ?? null, actors })),
  );
  if (!type.confidential) return users;
  const pairs = asked.flatMap(({ subject }, index) =>
    (users[index] ?? []).map((userId) => ({ id: subject.id, userId })),
  );
  const readers = new Set((await readersAmong(work, type, pairs)).map(({ id, userId }) => `${id} ${userId}`));
  return asked.map(({ subject }, index) =>
    (users[index] ?? []).filter((userId) => readers.has(`${subject.id} ${userId}`)),
  );
}
