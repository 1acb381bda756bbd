// The id under which a request is found in the logs: the one that a proxy gave it, if it is sane, else a new one.
import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export function requestId(message: { readonly headers: IncomingHttpHeaders }): string {
  const given = message.headers["x-request-id"];
  return typeof given === "string" && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}
