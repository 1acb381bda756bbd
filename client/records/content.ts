// What hangs on a record: its comments, its files; and what a person was told of.
import type { RecordTypeKey } from "../transport/address.ts";
import type { Answer, Call, CallForFile, WireFile } from "../transport/transport.ts";

export interface RecordPlace {
  readonly recordTypeKey: RecordTypeKey;
  readonly id: string;
}

const related = ({ recordTypeKey, id }: RecordPlace) => ({ related_type: recordTypeKey, related_id: id });

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
      data: { comments: { ...related(place), body: comment.body, parent_id: comment.parentId ?? null }, action },
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
    query: { ...related(place), search },
    signal,
  });
  return body.data.users;
}

export const addAttachment = (
  call: Call,
  place: RecordPlace,
  file: File,
  onProgress: (part: number) => void,
  signal?: AbortSignal,
): Promise<Answer<{ id: string }>> =>
  call("core/attachments/add", {
    signal,
    body: { data: { attachments: { ...related(place), file }, action } },
    onProgress,
  });

/** A file that a record holds. */
export interface FilePlace extends RecordPlace {
  readonly field: string;
}

export const readFile = (
  callForFile: CallForFile,
  { recordTypeKey, id, field }: FilePlace,
  options: { readonly thumbnail?: boolean; readonly signal?: AbortSignal } = {},
): Promise<WireFile> =>
  callForFile(`${recordTypeKey}/download`, {
    query: { id, field, thumbnail: options.thumbnail ? 1 : undefined },
    signal: options.signal,
  });

export interface Told {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly related_type: string | null;
  readonly related_id: string | null;
  readonly related_name: string | null;
  readonly read_at: string | null;
  readonly created: string;
  readonly __created_by: string | null;
}

export interface Unread {
  readonly unread: number;
}

export const countUnread = async (call: Call, signal?: AbortSignal): Promise<number> =>
  (await call<{ data: Unread }>("core/notifications/unread", { signal })).data.unread;

export const readNotifications = async (
  call: Call,
  signal?: AbortSignal,
): Promise<Unread & { readonly notifications: readonly Told[] }> =>
  (await call<{ data: Unread & { notifications: readonly Told[] } }>("core/notifications/mine", { signal })).data;

/** Without an id: all of them. */
export const markRead = (call: Call, id?: string): Promise<Answer<{ data: Unread }>> =>
  call("core/notifications/mark_read", { query: id === undefined ? { all: 1 } : { id }, method: "POST" });
