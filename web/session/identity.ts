// Who is logged in, as far as the screen shows it: no secrets, so that a reload can draw the frame before any answer.

import type { UserRecord } from "../../client/people/users.ts";
import type { Envelope } from "../../contract/envelope.ts";

const KEY = "dossier.identity";

export interface Identity {
  readonly userId: string;
  readonly fullName: string;
  readonly organization: string;
  readonly organizationId?: string;
  readonly user?: UserRecord;
}

/** Gives the same object when the envelope says nothing new. */
export function mergeIdentity(
  known: Identity | undefined,
  envelope: Envelope,
  user?: UserRecord,
): Identity | undefined {
  const userId = envelope.user_id ?? known?.userId;
  if (userId === undefined) return known;
  const same = known?.userId === userId ? known : undefined;
  const record = user ?? same?.user;
  const organizationId = envelope.organization_id ?? same?.organizationId;
  const next: Identity = {
    userId,
    fullName: envelope.user_fullname ?? same?.fullName ?? "",
    organization: envelope.organization_name ?? same?.organization ?? "",
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(record === undefined ? {} : { user: record }),
  };
  const unchanged =
    same !== undefined &&
    same.fullName === next.fullName &&
    same.organization === next.organization &&
    same.organizationId === next.organizationId &&
    same.user === next.user;
  return unchanged ? known : next;
}

const preferences = ["time_zone", "locale", "hour_format"] as const;

/** One's own user, where an answer holds it with other preferences than are known: they rule at once. */
export function ownUserIn(known: Identity | undefined, envelope: object): UserRecord | undefined {
  const data: unknown = "data" in envelope ? envelope.data : undefined;
  const users: unknown = typeof data === "object" && data !== null && "users" in data ? data.users : undefined;
  if (known?.user === undefined || typeof users !== "object" || users === null) return undefined;
  // Only what is compared below is taken from it.
  const record = users as Readonly<Record<string, unknown>>;
  if (record.id !== known.userId) return undefined;
  const changed = preferences.flatMap((name) => {
    const value = record[name];
    return typeof value === "string" && value !== known.user?.[name] ? [[name, value] as const] : [];
  });
  return changed.length === 0 ? undefined : { ...known.user, ...Object.fromEntries(changed) };
}

export function readIdentity(): Identity | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    // Written by writeIdentity below; a foreign shape only costs a name on the screen until the next answer.
    return typeof value === "object" && value !== null && "userId" in value ? (value as Identity) : undefined;
  } catch {
    return undefined;
  }
}

export function writeIdentity(identity: Identity | undefined): void {
  if (identity !== undefined) localStorage.setItem(KEY, JSON.stringify(identity));
}

export function clearIdentity(): void {
  localStorage.removeItem(KEY);
}
