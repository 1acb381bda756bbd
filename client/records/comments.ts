// The comments on a record, and whom they can mention.
import type { Answer, Call } from "../transport/transport.ts";
import { attachedTo, type RecordPlace } from "./record-place.ts";

const action = { save_progress: "Save" };

export const addComment = (
  call: Call,
  place: RecordPlace,
  comment: { readonly body: string; readonly parentId?: string | undefined },
): Promise<Answer<{ id: string }>> =>
  call("core/comments/add", {
    body: {
      data: { comments: { ...attachedTo(place), body: comment.body, parent_id: comment.parentId ?? null }, action },
    },
  });

export const changeComment = (call: Call, id: string, body: string): Promise<Answer<unknown>> =>
  call("core/comments/edit", { body: { data: { comments: { id, body }, action } } });

export interface Mentionable {
  readonly id: string;
  readonly user_name: string;
  readonly name: string;
}

export async function findMentionable(
  call: Call,
  place: RecordPlace,
  search: string,
  signal?: AbortSignal,
): Promise<readonly Mentionable[]> {
  const body = await call<{ data: { users: readonly Mentionable[] } }>("core/comments/mentionable", {
    query: { ...attachedTo(place), search },
    signal,
  });
  return body.data.users;
}
