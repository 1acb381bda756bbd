// Takes actors; returns their current names, as far as the caller's key may know them. Actors that stand for nobody are left out.
import { type MessageParam, say } from "../../../contract/messages.ts";
import { type Actor, principalOf } from "../../access/acl.ts";
import type { Caller } from "../../access/caller.ts";
import { mayKnowNames } from "../../access/keys/limits.ts";
import { type NamedLookup, readFacts } from "../../access/principal-lookup.ts";
import type { Queryable } from "../../database/database.ts";
import { namedActors } from "../../workflow/actor-context.ts";

/** `known`: where they were looked up already. */
export async function actorNames(
  db: Queryable,
  caller: Caller,
  owner: string | null,
  actors: readonly Actor[],
  known?: NamedLookup,
): Promise<string[]> {
  const told = actors.filter((actor) => mayKnowNames(caller, kindOf(actor)));
  if (told.length === 0) return [];
  const named = namedActors(owner === null ? [] : [owner], told);
  const facts = known ?? (await readFacts(db, caller.organizationId, named));
  const found = told.flatMap((actor) => {
    const principal = principalOf(actor, owner, facts);
    return (principal === undefined ? undefined : facts.nameOf(principal)) ?? [];
  });
  return [...new Set(found)];
}

const kindOf = (actor: Actor): string =>
  actor.startsWith("role:") ? "role" : actor.startsWith("group:") ? "group" : "user";

/** Names as they stand in a sentence. */
export async function shownActors(...question: Parameters<typeof actorNames>): Promise<MessageParam> {
  const names = await actorNames(...question);
  if (names.length > 0) return names;
  const [, caller, , actors] = question;
  return say(actors.every((actor) => mayKnowNames(caller, kindOf(actor))) ? "nobody" : "other_people");
}
