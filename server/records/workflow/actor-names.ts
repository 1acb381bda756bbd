// Takes actors; returns their current names. Actors that stand for nobody are left out.
import { type MessageParam, say } from "../../../contract/messages.ts";
import { type Actor, principalOf } from "../../access/acl.ts";
import { type NamedLookup, readFacts } from "../../access/principal-lookup.ts";
import type { Queryable } from "../../database/database.ts";
import { namedActors } from "../../workflow/actor-context.ts";

/** `known`: where they were looked up already. */
export async function actorNames(
  db: Queryable,
  organizationId: string,
  owner: string | null,
  actors: readonly Actor[],
  known?: NamedLookup,
): Promise<string[]> {
  if (actors.length === 0) return [];
  const facts = known ?? (await readFacts(db, organizationId, namedActors(owner === null ? [] : [owner], actors)));
  const found = actors.flatMap((actor) => {
    const principal = principalOf(actor, owner, facts);
    return (principal === undefined ? undefined : facts.nameOf(principal)) ?? [];
  });
  return [...new Set(found)];
}

/** Names as they stand in a sentence. */
export const shownActors = (names: readonly string[]): MessageParam => (names.length === 0 ? say("nobody") : names);
