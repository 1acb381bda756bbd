// The secrets that webhooks are signed with: made here, kept sealed, opened where something is signed. The text is given once, to
// whoever had it made.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Seal } from "../lib/secrets/seal.ts";
import { newWebhookSecret } from "./sign-delivery.ts";
import type { Webhook } from "./webhook.ts";

type Named = Pick<Webhook, "organizationId" | "id">;

const placeOf = ({ organizationId, id }: Named): string => `webhook ${organizationId} ${id}`;

/** The one before signs too for a day. `if none`: undefined where there is one already. */
export async function makeSecret(
  db: Queryable,
  seal: Seal,
  webhook: Named,
  when: "always" | "if none",
): Promise<string | undefined> {
  const secret = newWebhookSecret();
  const made = await db.run(sql`
    update core__webhook_state set secret = ${seal.close(secret, placeOf(webhook))}, previous_secret = secret,
      previous_until = now() at time zone 'utc' + interval '1 day'
    where organization_id = ${webhook.organizationId}::bigint and webhook_id = ${webhook.id}::bigint
      and (secret is null or ${when === "always" ? 1 : 0}::integer = 1)`);
  return made.count === 0 ? undefined : secret;
}

/** None where they were sealed under another secret of the service. */
export const openSecrets = (seal: Seal, webhook: Webhook): readonly string[] =>
  webhook.secrets.flatMap((sealed) => seal.open(sealed, placeOf(webhook)) ?? []);
