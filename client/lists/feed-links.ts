// Secret addresses under which a list view can be subscribed to: make, list, revoke. The address is in the answer that makes it and
// nowhere else.
import type { Answer, Call } from "../transport/transport.ts";
import { reader, readRows } from "./read-all-rows.ts";

export type FeedFormat = "calendar" | "rss" | "csv";

export interface FeedLink {
  readonly id: string;
  readonly name: string;
  readonly format: FeedFormat;
  readonly view: string;
  readonly created: string;
  readonly expires: string;
  readonly lastUsed: string;
}

export interface NewFeedLink {
  readonly name: string;
  readonly listview_id: string;
  readonly format: FeedFormat;
  readonly expires?: string;
}

/** Those of the user, the newest first; of one view where that is said. */
export async function listFeedLinks(
  call: Call,
  userId: string,
  view?: string,
  signal?: AbortSignal,
): Promise<readonly FeedLink[]> {
  const where = {
    "feed_links.owned_by": userId,
    ...(view === undefined ? {} : { "feed_links.listview_id": view }),
  };
  const fields = ["id", "name", "format", "created", "expires", "last_used", "listview_id.name as view_name"];
  const order = ["feed_links.created DESC"];
  const rows = await readRows(call, "core/feed_links", fields, { where, order }, signal);
  return rows.map((row) => {
    const at = reader("feed_links", row);
    const format = at("format");
    return {
      id: at("id"),
      name: at("name"),
      format: format === "calendar" || format === "csv" ? format : "rss",
      view: row.view_name ?? "",
      created: at("created"),
      expires: at("expires"),
      lastUsed: at("last_used"),
    };
  });
}

/** Gives the address as a path of this service. */
export async function addFeedLink(call: Call, link: NewFeedLink): Promise<string> {
  const body = { data: { feed_links: link, action: { save_progress: "Save" } } };
  return (await call<{ feed_address: string }>("core/feed_links/add", { body })).feed_address;
}

export const revokeFeedLink = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("core/feed_links/delete", { query: { id, is_confirm: 1 }, method: "POST" });
