// Takes a message; notifies every administrator of an organization, each in their own language.
import type { Message } from "../../../contract/messages.ts";
import { languageOf, write } from "../../../contract/texts/write.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { addNotifications } from "./notifications.ts";

export async function tellAdministrators(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  kind: string,
  said: Message,
): Promise<void> {
  const administrators = await transaction.rows(sql`
    select distinct m.user_id::text as id, coalesce(u.locale, o.locale) as locale from access_controls__roles_users m
    join access_controls__roles r on r.organization_id = ${organizationId}::bigint and r.id = m.role_id and r.deleted = 0
      and r.is_administrator = 1
    join access_controls__users u on u.organization_id = ${organizationId}::bigint and u.id = m.user_id
    join access_controls__organizations o on o.organization_id = ${organizationId}::bigint and o.id = u.organization_id
    where m.organization_id = ${organizationId}::bigint and m.deleted = 0`);
  const entries = administrators.flatMap(({ id, locale }) =>
    id ? [{ userId: id, kind, text: write(said, languageOf(locale) ?? "en"), byUserId: null }] : [],
  );
  await addNotifications(transaction, snapshot, organizationId, entries);
}
