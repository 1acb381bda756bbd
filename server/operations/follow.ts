// follow, unfollow, followers: who is told of what happens to a record. Everybody follows for themselves, what they can see;
// what they can no longer see they are not told of, and can still unfollow.
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { noSuchRecord, requireRecordId } from "../plan/plan-read.ts";
import { addFollow, type Followed, isReadable, readFollowers, removeFollow } from "../records/workflow/follows.ts";
import { isFollowable } from "../records/workflow/tell-followers.ts";
import { addressed, requireId } from "./addressed.ts";
import type { Operation, OperationContext } from "./operation.ts";
import { runWrite } from "./write.ts";

/** Records that one person follows. */
const MOST = 1_000;

function followed(context: OperationContext): Followed {
  const { caller, type } = addressed(context);
  if (!isFollowable(type)) throw new Failure("conflict", { with: { reason: say("not_followable") } });
  return { caller, type, id: requireRecordId(type, requireId(context)) };
}

export const followers: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  async run(context) {
    const about = followed(context);
    const { database } = context.services;
    if (!(await isReadable(database, about))) throw noSuchRecord(about.type);
    return { body: { id: about.id, data: await readFollowers(database, context.snapshot, about) } };
  },
};

export const follow: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "view",
  run: (context) =>
    runWrite(context, async ({ transaction }) => {
      const about = followed(context);
      if (!(await isReadable(transaction, about))) throw noSuchRecord(about.type);
      if (!(await addFollow(transaction, about, MOST))) {
        throw new Failure("conflict", { with: { reason: say("follows_full", { max: MOST }) } });
      }
      const body = { id: about.id, data: await readFollowers(transaction, context.snapshot, about) };
      return async () => ({ body, message: [say("followed")] });
    }),
};

export const unfollow: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  run: (context) =>
    runWrite(context, async ({ transaction }) => {
      const about = followed(context);
      await removeFollow(transaction, about);
      // Who else follows is for those who can see the record.
      const isOpen = await isReadable(transaction, about);
      const data = isOpen
        ? await readFollowers(transaction, context.snapshot, about)
        : { is_following: 0, followers: [] };
      return async () => ({ body: { id: about.id, data }, message: [say("unfollowed")] });
    }),
};
