// What a person was told of, and what of it they have read.
import type { Answer, Call } from "../transport/transport.ts";

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
