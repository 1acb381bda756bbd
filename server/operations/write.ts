// Runs a write: one transaction, and the answer that goes with it. A retry of a request that carries an Idempotency-Key
// waits for the first one and gets its answer; it writes nothing.
import { createHash } from "node:crypto";
import { z } from "zod";
import { say } from "../../contract/messages.ts";
import { type Language, writeAll } from "../../contract/texts/write.ts";
import { type Caller, readerOf } from "../access/caller.ts";
import type { Database, Queryable } from "../database/database.ts";
import { isDeadlock, savedUntold } from "../database/errors.ts";
import { storedJson } from "../database/stored-json.ts";
import { settleComputed } from "../records/computed/settle.ts";
import type { Said, Work } from "../records/hooks.ts";
import type { Reader } from "../records/read/display-texts.ts";
import { preparedReader, transactionReader } from "../records/read/view-record.ts";
import { claimKey, keepAnswer } from "../records/save/kept-answers.ts";
import { echo } from "../request/echo.ts";
import { addressed } from "./addressed.ts";
import type { JsonResult, OperationContext } from "./operation.ts";

/** What keepAnswer writes. */
const answerSchema = z.object({
  status: z.number().exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  message: z.array(z.string()).exactOptional(),
  body: z.record(z.string(), z.unknown()),
  written: z.record(z.string(), z.string()).exactOptional(),
});

/** Made once everything is written. */
export type Answer = (reader: Reader) => Promise<JsonResult>;

export interface WriteOptions {
  /** The answer runs its first statement before it waits for anything: that one goes out with the commit. */
  readonly readsAtOnce?: boolean;
}

export async function runWrite(
  context: OperationContext,
  write: (work: Work) => Promise<Answer>,
  { readsAtOnce = false }: WriteOptions = {},
): Promise<JsonResult> {
  const { caller } = addressed(context);
  const { services, snapshot, call } = context;
  const said: Said = { messages: new Set(), invitationLinks: {} };
  const work: Omit<Work, "transaction"> = { snapshot, caller, hooks: services.hooks, accessChanges: new Set(), said };
  const key = call.idempotencyKey;
  const ordinary = preparedReader(services.database, services.lists);
  /** What was written past the one engine is settled here. */
  const settled = async (own: Work): Promise<Answer> => {
    const answer = await write(own);
    await settleComputed({ ...own, organizationId: caller.organizationId });
    return answer;
  };
  const written = await context.time("write", () =>
    againAfterDeadlock(services.database, async (transaction): Promise<Answer> => {
      if (key === undefined) {
        const answer = await settled({ ...work, transaction });
        // What was forgotten of who may do what must be forgotten before anything is read for the answer.
        if (!readsAtOnce || work.accessChanges.size > 0) return answer;
        const answered = answerBehind(transaction, ordinary, answer);
        return () => answered;
      }
      const earlier = await claimKey(transaction, caller, key, digestOf(context, caller));
      if (earlier !== undefined) {
        const { message = [], ...kept } = storedJson(answerSchema, earlier, "core__idempotency_keys.answer");
        return async () => ({ ...kept, message: message.map((text) => say("own_words", { text })) });
      }
      const answer = await settled({ ...work, transaction });
      // Told and kept with what it tells of: both are committed, or neither.
      const result = withIdentity(await answer(transactionReader(transaction)), caller);
      const kept = asTexts(withMessages(result, said), caller.language);
      await keepAnswer(transaction, caller, key, kept.status ?? 200, JSON.stringify(kept));
      return async () => result;
    }),
  );
  if (work.accessChanges.size > 0) services.forget(caller.organizationId);
  const result = await context.time("view", () =>
    written(ordinary).catch((error: unknown) => {
      throw savedUntold(error);
    }),
  );
  const links = Object.keys(said.invitationLinks).length === 0 ? {} : { invitation_links: said.invitationLinks };
  const told = withMessages(result, said);
  return { ...told, body: { ...told.body, ...links } };
}

/** Two who change records that depend on each other may wait in a circle: one of them begins anew, and has waited long enough by then. */
const MOST_TRIES = 5;

export async function againAfterDeadlock<T>(
  database: Database,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await database.transaction(work);
    } catch (error) {
      if (!isDeadlock(error) || tries === MOST_TRIES) throw error;
    }
  }
}

/** What the answer asks for at once is run right behind the commit, and the rest by the ordinary way, when that is done. */
function answerBehind(transaction: Queryable, ordinary: Reader, answer: Answer): Promise<JsonResult> {
  let isOpen = true;
  const run: Reader["run"] = (statement) => (isOpen ? transaction.behindCommit(statement) : ordinary.run(statement));
  const answered = answer({ ...ordinary, run });
  isOpen = false;
  // Where nothing is committed, that is what is told.
  answered.catch(() => undefined);
  return answered;
}

const withMessages = (result: JsonResult, { messages }: Said): JsonResult => ({
  ...result,
  message: [...(result.message ?? []), ...messages],
});

/** Bytes are for the socket, and codes for the reader of today; what is kept is text. */
const asTexts = (
  { written, message = [], ...result }: JsonResult,
  language: Language,
): z.input<typeof answerSchema> => ({
  ...result,
  message: writeAll(message, language),
  ...(written
    ? { written: Object.fromEntries(Object.entries(written).map(([key, value]) => [key, String(value)])) }
    : {}),
});

/** Names may change before the retry: the first answer says who it was for. */
const withIdentity = (result: JsonResult, caller: Caller): JsonResult => ({
  ...result,
  body: { organization_name: caller.organizationName, user_fullname: caller.fullName, ...result.body },
});

function digestOf({ call }: OperationContext, caller: Caller): string {
  const { module, controller, operation, parameters, data, actions } = call;
  // Which form the sender knows meanwhile makes it no other request.
  const { form: _, ...meant } = parameters;
  const sent = [module, controller, operation, echo(meant), echo(data), actions];
  // What was answered to somebody is not told to who comes with less.
  if (caller.limits !== undefined) sent.push(readerOf(caller));
  return createHash("sha256").update(JSON.stringify(sent)).digest("hex");
}
