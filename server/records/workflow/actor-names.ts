// Takes actors; gives what people call them now. Who stands for nobody is left out.
import { type MessageParam, say } from "../../../contract/messages.ts";
import type { Actor } from "../../access/acl.ts";
import { readPrincipalNames } from "../../access/principal-names.ts";
import type { Queryable } from "../../database/database.ts";
import { principalsOf } from "../../workflow/actor-context.ts";

export async function actorNames(
  db: Queryable,
  organizationId: string,
  owner: string | null,
  actors: readonly Actor[],
): Promise<string[]> {
  const principals = await principalsOf(db, organizationId, owner, actors);
  const names = await readPrincipalNames(db, organizationId, principals.values());
  const found = actors.flatMap((actor) => names.get(principals.get(actor) ?? 0)?.name ?? []);
  return [...new Set(found)];
}

/** Names as they stand in a sentence. */
export const shownActors = (names: readonly string[]): MessageParam => (names.length === 0 ? say("nobody") : names);
