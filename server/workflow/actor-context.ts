// Takes a caller, a record's owner and the actors in question; gives what can be asked of the caller. Reads the database
// only where an actor is a group or somebody's manager.
import { type Actor, principalOf } from "../access/acl.ts";
import type { Caller } from "../access/caller.ts";
import { readFacts } from "../access/principal-lookup.ts";
import type { Queryable } from "../database/database.ts";
import type { ActorContext } from "./state.ts";

const prefixed = (actors: readonly Actor[], prefix: string): string[] =>
  actors.flatMap((actor) => (actor.startsWith(prefix) ? [actor.slice(prefix.length)] : []));

/** The principal of each actor, as it is now. */
export async function principalsOf(
  db: Queryable,
  organizationId: string,
  owner: string | null,
  actors: readonly Actor[],
): Promise<ReadonlyMap<Actor, number>> {
  if (actors.length === 0) return new Map();
  const facts = await readFacts(db, organizationId, {
    users: [...(owner === null ? [] : [owner]), ...prefixed(actors, "user:")],
    groups: prefixed(actors, "group:"),
  });
  const found = new Map<Actor, number>();
  for (const actor of actors) {
    const principal = principalOf(actor, owner, facts);
    if (principal !== undefined) found.set(actor, principal);
  }
  return found;
}

const needsFacts = (actor: Actor): boolean => actor === "owner_manager" || actor.startsWith("group:");

export async function actorContextOf(
  db: Queryable,
  caller: Caller,
  owner: string | null,
  actors: readonly Actor[],
  mayEdit: boolean,
): Promise<ActorContext> {
  const principals = await principalsOf(db, caller.organizationId, owner, actors.filter(needsFacts));
  return {
    mayEdit,
    holds: (actor) => {
      if (actor === "owner") return owner === caller.userId;
      if (actor.startsWith("user:")) return actor === `user:${caller.userId}`;
      if (actor.startsWith("role:")) return caller.roles.some((role) => actor === `role:${role.code}`);
      const principal = principals.get(actor);
      return principal !== undefined && caller.principals.includes(principal);
    },
  };
}
