// Outgoing mail as administrators see it: which organizations may email people outside, and one's own address to confirm.
import { reader, readRows } from "../lists/read-all-rows.ts";
import type { Answer, Call } from "../transport/transport.ts";

export interface MailSender {
  readonly id: string;
  readonly name: string;
  readonly allows_outside: "0" | "1";
  readonly sent_today: string;
  readonly held: string;
}

const PATH = "access_controls/organizations/mail_senders";

export async function listMailSenders(call: Call, signal?: AbortSignal): Promise<readonly MailSender[]> {
  return (await call<{ data: { organizations: readonly MailSender[] } }>(PATH, { signal })).data.organizations;
}

export const allowOutside = (call: Call, id: string, allowed: boolean): Promise<Answer<unknown>> =>
  call(PATH, { query: { id }, body: { data: { organizations: { allows_outside: allowed ? "1" : "0" } } } });

/** The primary address of a user where it is not confirmed yet. */
export async function unconfirmedAddress(call: Call, userId: string, signal?: AbortSignal): Promise<string | null> {
  const where = {
    "email_addresses.related_type": "access_controls/users",
    "email_addresses.related_id": userId,
  };
  const rows = await readRows(call, "core/email_addresses", ["email", "is_primary", "is_confirmed"], { where }, signal);
  const row = rows.find((one) => one["email_addresses.is_primary"] === "1") ?? rows[0];
  const at = row && reader("email_addresses", row);
  return at === undefined || at("is_confirmed") === "1" ? null : at("email");
}

export const sendConfirmation = (call: Call): Promise<Answer<unknown>> =>
  call("access_controls/users/send_confirmation", { method: "POST" });
