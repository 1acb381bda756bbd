// Takes the target of a request line; gives which operation it addresses. Knows the shape of names, not which exist.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";

export type Address =
  /** `/{module}/{controller}/{operation}`; `json`: it ended in `.json`. */
  | {
      readonly kind: "operation";
      readonly module: string;
      readonly controller: string;
      readonly operation: string;
      readonly json: boolean;
    }
  /** `/edit_selected`: the record type is sent as `controller=<module>/<controller>`. */
  | { readonly kind: "bare"; readonly operation: string; readonly json: boolean }
  /** Anything else: a page of the web app, a file, or nothing. */
  | { readonly kind: "other"; readonly segments: readonly string[]; readonly json: boolean };

export interface Target {
  readonly path: string;
  readonly query: string;
}

// Not the two names that every object inherits: a table of operations may be a plain object.
const NAME = /^(?!__proto__$|constructor$)[a-z0-9_]{1,64}$/;
const bareOperations: ReadonlySet<string> = new Set(["edit_selected", "delete_selected"]);

export function splitTarget(target: string): Target {
  const mark = target.indexOf("?");
  return mark === -1 ? { path: target, query: "" } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

export function parsePath(path: string): Address {
  const segments = path.split("/").filter(Boolean).map(decodeSegment);
  const last = segments.at(-1) ?? "";
  const json = last.endsWith(".json");
  const operation = json ? last.slice(0, -".json".length) : last;
  if (segments.length === 1 && bareOperations.has(operation)) return { kind: "bare", operation, json };
  // Where tools look for it.
  if (path === "/openapi.json") {
    return { kind: "operation", module: "metadata", controller: "openapi", operation: "index", json };
  }
  // What calendars, feed readers and spreadsheets subscribe to.
  if (/^\/feeds\/(?:calendar\.ics|list\.rss|list\.csv)$/.test(path)) {
    return { kind: "operation", module: "core", controller: "feed_links", operation: "feed", json: true };
  }
  const [module = "", controller = ""] = segments;
  if (segments.length === 3 && [module, controller, operation].every((name) => NAME.test(name))) {
    return { kind: "operation", module, controller, operation, json };
  }
  return { kind: "other", segments, json };
}

/** `crm/leads` → its two names. */
export function parseRecordTypeKey(key: string | undefined): { module: string; controller: string } {
  const [module = "", controller = "", ...more] = (key ?? "").split("/").filter(Boolean);
  if (!NAME.test(module) || !NAME.test(controller) || more.length > 0) {
    const reason = say("must_name_type");
    throw new Failure("malformed_parameter", { with: { name: "controller", reason } });
  }
  return { module, controller };
}

function decodeSegment(segment: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    throw new Failure("malformed_path", { with: { reason: say("bad_percent") } });
  }
  if (/[/\\\p{Cc}]/u.test(decoded)) {
    throw new Failure("malformed_path", { with: { reason: say("bad_address_character") } });
  }
  return decoded;
}
