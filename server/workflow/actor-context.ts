// Takes a caller, a record's owner and the actors in question; gives what can be asked of the caller. Reads the database
// only where an actor is a group or somebody's manager.
import { type Actor, type PrincipalLookup, principalOf } from "../access/acl.ts";
import type { Caller } from "../access/caller.ts";
import { readFacts } from "../access/principal-lookup.ts";
import type { Queryable } from "../database/database.ts";
import type { ActorContext } from "./state.ts";

const prefixed = (actors: readonly Actor[], prefix: string): string[] =>
  actors.flatMap((actor) => (actor.startsWith(prefix) ? [actor.slice(prefix.length)] : []));

/** Whom one must look up to know the principals of these actors, of records with these owners. */
export const namedActors = (owners: readonly string[], actors: readonly Actor[]) => ({
  users: [...owners, ...prefixed(actors, "user:")],
  groups: prefixed(actors, "group:"),
});

/** The principal of each actor, as it is now. `known`: where they were looked up already. */
export async function principalsOf(
  db: Queryable,
  organizationId: string,
  owner: string | null,
  actors: readonly Actor[],
  known?: PrincipalLookup,
): Promise<ReadonlyMap<Actor, number>> {
  if (actors.length === 0) return new Map();
  const facts = known ?? (await readFacts(db, organizationId, namedActors(owner === null ? [] : [owner], actors)));
  const found = new Map<Actor, number>();
  for (const actor of actors) {
    const principal = principalOf(actor, owner, facts);
    if (principal !== undefined) found.set(actor, principal);
  }
  return found;
}

/** Whether one must look up who it stands for to know whether somebody is it. */
export const needsFacts = (actor: Actor): boolean => actor === "owner_manager" || actor.startsWith("group:");

export async function actorContextOf(
  db: Queryable,
  caller: Caller,
  owner: string | null,
  actors: readonly Actor[],
  mayEdit: boolean,
  known?: PrincipalLookup,
): Promise<ActorContext> {
  const principals = await principalsOf(db, caller.organizationId, owner, actors.filter(needsFacts), known);
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
