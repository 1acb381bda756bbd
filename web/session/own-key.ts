// Names what this browser keeps for one person: of one user in one organization, so that nobody else who logs in here ever
// meets it.
import { session } from "./session.ts";

/** The key under which something of the one who is logged in is kept. */
export function ownKey(kind: string, ...rest: readonly string[]): string {
  const { identity } = session.get();
  return ["dossier", kind, identity?.organizationId ?? "", identity?.userId ?? "", ...rest].join(".");
}
