// Runs a write: one transaction, the answer that goes with it, and the memory of answers to requests that carry an
// Idempotency-Key. A retry of such a request waits for the first one and gets its answer; it writes nothing.

import { createHash } from "node:crypto";
import { z } from "zod";
import { Failure } from "../../contract/failures.ts";
import type { Caller } from "../access/caller.ts";
import type { Queryable } from "../database/database.ts";
import { savedUntold } from "../database/errors.ts";
import { sql } from "../database/sql.ts";
import { storedJson } from "../database/stored-json.ts";
import type { Said, Work } from "../records/hooks.ts";
import type { Reader } from "../records/read/display-texts.ts";
import { preparedReader, transactionReader } from "../records/read/view-record.ts";
import { echo } from "../records/save/echo.ts";
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

export async function runWrite(context: OperationContext, write: (work: Work) => Promise<Answer>): Promise<JsonResult> {
  const { caller } = addressed(context);
  const { services, snapshot, call } = context;
  const said: Said = { messages: new Set(), invitationLinks: {} };
  const work: Omit<Work, "transaction"> = { snapshot, caller, hooks: services.hooks, accessChanges: new Set(), said };
  const key = call.idempotencyKey;
  const written = await context.time("write", () =>
    services.database.transaction(async (transaction): Promise<Answer> => {
      if (key === undefined) return write({ ...work, transaction });
      const earlier = await claimKey(transaction, caller, key, digestOf(context));
      if (earlier) return async () => earlier;
      const answer = await write({ ...work, transaction });
      // Told and kept with what it tells of: both are committed, or neither.
      const result = withIdentity(await answer(transactionReader(transaction)), caller);
      await keepAnswer(transaction, caller, key, withMessages(result, said));
      return async () => result;
    }),
  );
  if (work.accessChanges.size > 0) services.forget(caller.organizationId);
  const result = await context.time("view", () =>
    written(preparedReader(services.database, services.lists)).catch((error: unknown) => {
      throw savedUntold(error);
    }),
  );
  const links = Object.keys(said.invitationLinks).length === 0 ? {} : { invitation_links: said.invitationLinks };
  const told = withMessages(result, said);
  return { ...told, body: { ...told.body, ...links } };
}

const withMessages = (result: JsonResult, { messages }: Said): JsonResult => ({
  ...result,
  message: [...(result.message ?? []), ...messages],
});

/** Gives the first answer if there is one. A request under way with the same key is waited for. */
async function claimKey(
  transaction: Queryable,
  caller: Caller,
  key: string,
  digest: string,
): Promise<JsonResult | undefined> {
  const [organization, user] = [sql`${caller.organizationId}::bigint`, sql`${caller.userId}::bigint`];
  await transaction.run(sql`
    delete from core__idempotency_keys
    where organization_id = ${organization} and created < now() at time zone 'utc' - interval '24 hours'`);
  const claimed = await transaction.run(sql`
    insert into core__idempotency_keys (organization_id, user_id, key, digest)
    values (${organization}, ${user}, ${key}, ${digest}) on conflict do nothing`);
  if (claimed.count > 0) return undefined;
  const row = await transaction.row(sql`
    select digest, answer from core__idempotency_keys
    where organization_id = ${organization} and user_id = ${user} and key = ${key}`);
  if (row?.digest !== digest || row.answer == null) {
    const reason = "This Idempotency-Key was used for another request; send a new one";
    throw new Failure("conflict", { with: { reason } });
  }
  return storedJson(answerSchema, row.answer, "core__idempotency_keys.answer");
}

async function keepAnswer(transaction: Queryable, caller: Caller, key: string, result: JsonResult): Promise<void> {
  await transaction.run(sql`
    update core__idempotency_keys set status = ${result.status ?? 200}, answer = ${JSON.stringify(asTexts(result))}::json
    where organization_id = ${caller.organizationId}::bigint and user_id = ${caller.userId}::bigint and key = ${key}`);
}

/** Bytes are for the socket; what is kept is text. */
const asTexts = ({ written, ...result }: JsonResult): JsonResult => ({
  ...result,
  ...(written
    ? { written: Object.fromEntries(Object.entries(written).map(([key, value]) => [key, String(value)])) }
    : {}),
});

/** Names may change before the retry: the first answer says who it was for. */
const withIdentity = (result: JsonResult, caller: Caller): JsonResult => ({
  ...result,
  body: { organization_name: caller.organizationName, user_fullname: caller.fullName, ...result.body },
});

function digestOf({ call }: OperationContext): string {
  const { module, controller, operation, parameters, data, actions } = call;
  const sent = [module, controller, operation, echo(parameters), echo(data), actions];
  return createHash("sha256").update(JSON.stringify(sent)).digest("hex");
}
