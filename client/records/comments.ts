// The comments on a record, and whom they can mention.
import type { Answer, Call } from "../transport/transport.ts";
import { attachedTo, type RecordPlace } from "./record-place.ts";

const action = { save_progress: "Save" };

export interface Comment {
  readonly id: string;
  readonly body: string;
  readonly parentId: string | null;
  readonly created: string;
  readonly modified: string;
  readonly authorId: string | null;
  readonly author: string | null;
  readonly mayDelete: boolean;
}

/** The oldest first; at most 1,000 of them. */
export async function readComments(call: Call, place: RecordPlace, signal?: AbortSignal): Promise<readonly Comment[]> {
  const names = ["id", "body", "parent_id", "created", "modified", "created_by"];
  const fields = [...names.map((name) => `comments.${name}`), "comments.created_by.name as author"];
  const where = { "comments.related_type": place.recordTypeKey, "comments.related_id": place.id };
  const { paginate } = await call<{ paginate: { data: readonly Readonly<Record<string, string | null | boolean>>[] } }>(
    "core/comments/index",
    {
      query: {
        q: JSON.stringify({ fields, where, order: ["comments.id ASC"], pheader: "0" }),
        limit: 1000,
        track_open: 0,
      },
      signal,
    },
  );
  const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return paginate.data.map((row) => ({
    id: text(row["comments.id"]) ?? "",
    body: text(row["comments.body"]) ?? "",
    parentId: text(row["comments.parent_id"]),
    created: text(row["comments.created"]) ?? "",
    modified: text(row["comments.modified"]) ?? "",
    authorId: text(row["comments.created_by"]),
    author: text(row.author),
    mayDelete: row.is_delete === true,
  }));
}

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
