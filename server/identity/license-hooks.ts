// License agreements are published by administrators, numbered upwards, in HTML that can do nothing but be read.
import { about, type Fault, fault } from "../../contract/messages.ts";
import { audit } from "../access/audit.ts";
import { sql } from "../database/sql.ts";
import { tagsOf, withoutTags } from "../lib/markup.ts";
import type { HookTable } from "../records/hooks.ts";

const tags = new Set(
  (
    "h1 h2 h3 h4 h5 h6 p br hr ul ol li strong em b i u s small sub sup blockquote code pre " +
    "table thead tbody tr th td a span div"
  ).split(" "),
);

const noTag = fault("terms_no_tag");

/** What is wrong with a text that is meant to be plain, readable HTML; none when it is. Refuses rather than repairs. */
export function readableHtmlFaults(html: string): Fault[] {
  const faults = new Map<string, Fault>();
  const add = (wrong: Fault) => faults.set(JSON.stringify(wrong), wrong);
  if (/<(?![a-z/])/i.test(html)) add(noTag);
  for (const { content } of tagsOf(html)) {
    const tag = /^\/?([a-z][a-z0-9-]*)/i.exec(content)?.[1]?.toLowerCase();
    if (tag === undefined) {
      add(noTag);
      continue;
    }
    const rest = content.slice(tag.length + (content.startsWith("/") ? 1 : 0));
    if (!tags.has(tag)) add(fault("terms_bad_tag", { tag: tag.slice(0, 20) }));
    const attributes = withoutSlash(rest.trim());
    if (attributes === "") continue;
    const link = /^href\s*=\s*"(https?:\/\/|mailto:)[^"<>\s]*"$/i.test(attributes);
    if (!(tag === "a" && link)) add(fault("terms_attributes", { tag: tag.slice(0, 20) }));
  }
  if (withoutTags(html).trim() === "") add(fault("terms_empty"));
  return [...faults.values()];
}

/** `<br />` closes itself. */
const withoutSlash = (rest: string): string => (rest.endsWith("/") ? rest.slice(0, -1).trim() : rest);

export const licenseHooks: HookTable = {
  "access_controls/license_agreements": {
    administratorsOnly: true,
    prepare: async ({ transaction, caller }) => {
      const last = await transaction.row(sql`
        select (coalesce(max(version), 0) + 1)::text as next from access_controls__license_agreements
        where organization_id = ${caller.organizationId}::bigint`);
      return { version: last?.next ?? "1" };
    },
    check: async (_, { type, after }) => {
      const faults = after?.text == null ? [] : readableHtmlFaults(after.text);
      return faults.length === 0
        ? {}
        : { text: faults.map((wrong) => about(type.field.get("text")?.label ?? "", wrong)) };
    },
    follow: async ({ transaction, snapshot, caller }, { type, id, after }) =>
      audit(transaction, snapshot, {
        organizationId: caller.organizationId,
        event: "license_published",
        userId: caller.userId,
        userName: caller.userName,
        subject: { type: type.key, id, name: after?.title ?? null },
        detail: { is_required_again: after?.is_required_again ?? "0" },
      }),
  },
  "access_controls/license_acceptances": { bookkeeping: true },
  "access_controls/audit_events": { bookkeeping: true },
};
