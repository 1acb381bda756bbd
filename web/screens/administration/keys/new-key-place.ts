// Where a key is made: administrators make those of service accounts under Administration, everybody their own under Account.
import type { Identity } from "../../../session/identity.ts";

/** `owner`: the user that the key is asked for, where the address names one. */
export function newKeyPlace(identity: Identity | undefined, owner: string | undefined) {
  // Of whom nothing is known yet: there a key never has the rights of whoever makes it.
  const isAdministrator = identity?.user?.is_administrator !== "0";
  const isOwn = owner !== undefined && owner === identity?.userId;
  if (!isAdministrator || isOwn) return { to: "/account", search: { new_key: 1 } } as const;
  const account = owner === undefined ? {} : { user_id: owner };
  return { to: "/administration", search: { part: "api_keys", new_key: 1, ...account } } as const;
}
