// signup: the form to anybody who asks; and a new user, in a new organization or in one that has agreed to it.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { countAttempt, throttlesOf } from "../../access/throttle.ts";
import { discardFiles } from "../../files/orphaned-files.ts";
import { hashPassword } from "../../lib/secrets/password.ts";
import type { JsonResult, Operation, OperationContext } from "../../operations/operation.ts";
import { echo } from "../../request/echo.ts";
import { limits } from "../../request/limits.ts";
import { emptyTree, isTree, type Tree, textAt } from "../../request/tree.ts";
import { licenseState } from "../current-license.ts";
import { operatorId } from "../operator.ts";
import { openSession } from "../session-tokens.ts";
import { type CheckedSignup, checkSignup } from "../signup/check-signup.ts";
import { createAccount } from "../signup/create-account.ts";
import { readInvitation } from "../signup/find-target.ts";
import { formInformation } from "../signup/form-information.ts";
import {
  keepPictures,
  MOST_PICTURES,
  PICTURE_BYTES,
  type ReceivedPictures,
  receivePictures,
} from "../signup/pictures.ts";
import { readSignup, type SentSignup } from "../signup/read-signup.ts";
import { userData } from "../user-data.ts";
import { sentValues } from "./sent-values.ts";

export const signup: Operation = {
  methods: ["GET", "POST"],
  authentication: "none",
  reads: "by GET",
  // Read past what is kept, so that a picture that is somewhat too large is told at its field, with everything that was typed.
  takes: { bytes: limits.strangersBytes, files: MOST_PICTURES, fileBytes: 2 * PICTURE_BYTES },
  run: async (context) => (context.call.method === "GET" ? show(context) : create(context)),
};

async function show(context: OperationContext): Promise<JsonResult> {
  const { parameters } = context.call;
  const token = textAt(parameters, "invitation");
  const invitation = token === undefined ? undefined : await readInvitation(context.services.database, token);
  const named = textAt(parameters, "organization_id");
  const organizationId = named && /^\d{1,18}$/.test(named) ? named : invitation?.organizationId;
  const message = token !== undefined && !invitation ? [say("invitation_invalid")] : [];
  return { message, body: await formInformation(context, { invitation, organizationId }) };
}

async function create(context: OperationContext): Promise<JsonResult> {
  const { call, services, request } = context;
  const { database, config } = services;
  const values = sentValues(call, "users");
  const sent = readSignup(values);
  await requireAction(context, values, sent);
  await countAttempt(database, throttlesOf(config, "signup", [sent.userName || "nobody"], request.address));
  if (!config.publicSignup && !(await readInvitation(database, sent.invitation))) {
    throw new Failure("signup_closed", { body: await refusedForm(context, values, sent) });
  }

  const looseIn = await operatorId(database);
  const signed = await checkSignup(database, context.snapshot, config, sent);
  const isSound = Object.keys(signed.faults).length === 0;
  const received = await receivePictures(database, services.files, looseIn, sent.images, isSound);
  const checked = { ...signed, faults: { ...signed.faults, ...received.faults } };
  try {
    return await createWith(context, values, sent, checked, { ...received, looseIn });
  } finally {
    // What the new user's record keeps is loose no more, and stays.
    await discardFiles(database, services.files, looseIn, received.keys);
  }
}

async function createWith(
  context: OperationContext,
  values: Tree,
  sent: SentSignup,
  checked: CheckedSignup,
  received: ReceivedPictures & { readonly looseIn: string },
): Promise<JsonResult> {
  const { services, snapshot, request } = context;
  const { database } = services;
  const { target } = checked;
  const faults = Object.values(checked.faults).flat();
  if (faults.length > 0 || !target) {
    const body = await refusedForm(context, values, sent);
    const [reason, ...more] = faults;
    throw checked.isTaken && reason !== undefined && more.length === 0
      ? new Failure("conflict", { with: { reason }, byField: checked.faults, body })
      : new Failure("invalid", { errors: faults, byField: checked.faults, body });
  }
  const hash = await context.time("password", () => hashPassword(sent.password.text));
  const { account, tokens } = await database.transaction(async (transaction) => {
    const made = await createAccount(transaction, snapshot, sent, { ...checked, target }, hash, request.address);
    const { organizationId, userId, isWaiting } = made;
    await keepPictures(transaction, snapshot, made, received.looseIn, received.pictures);
    const enters = sent.autoLogin && !isWaiting;
    return { account: made, tokens: enters ? await openSession(context, transaction, organizationId, userId) : {} };
  });
  services.forget(account.organizationId);
  const { organizationId, userId, isWaiting } = account;
  const [form, user, license] = await Promise.all([
    formInformation(context, { invitation: undefined, organizationId }),
    userData(context.services.database, organizationId, userId),
    licenseState(database, organizationId, userId),
  ]);
  return {
    message: [isWaiting ? say("signup_waiting") : say("signup_done")],
    body: {
      ...form,
      ...user,
      ...("access_token" in tokens ? { ...tokens, ...license } : {}),
      data: { users: { ...form.data.users, ...user.data.users } },
      id: userId,
      name: user.user_fullname,
      is_confirmation_required: isWaiting ? 1 : 0,
    },
  };
}

/** The whole form once more, filled in with what was sent: a program goes on where it was. */
async function refusedForm(context: OperationContext, values: Tree, sent: SentSignup) {
  const invitation = await readInvitation(context.services.database, sent.invitation);
  const named = /^\d{1,18}$/.test(sent.organizationId) ? sent.organizationId : undefined;
  const form = await formInformation(context, { invitation, organizationId: named ?? invitation?.organizationId });
  return { ...form, data: { users: { ...form.data.users, ...withoutSecrets(values) } } };
}

async function requireAction(context: OperationContext, values: Tree, sent: SentSignup): Promise<void> {
  const [only, ...more] = context.call.actions;
  if (more.length === 0 && (only === undefined || only.key === "signup")) return;
  const body = await refusedForm(context, values, sent);
  throw new Failure("unknown_action", { with: { actions: "signup (Signup)" }, body });
}

/** What was sent, to fill the form in again; passwords and tokens are typed anew. */
function withoutSecrets(values: Tree): Record<string, unknown> {
  const kept = (tree: Tree): Tree => {
    const out = emptyTree();
    for (const [name, value] of Object.entries(tree)) {
      if (/password|^invitation$/.test(name)) continue;
      out[name] = isTree(value)
        ? kept(value)
        : Array.isArray(value)
          ? value.map((one) => (isTree(one) ? kept(one) : one))
          : value;
    }
    return out;
  };
  return echo(kept(values));
}
