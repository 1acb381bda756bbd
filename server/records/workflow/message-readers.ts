// Takes the recipients of a message; returns whose rights and formats it is written with. Read once per transaction.
import { readPerson } from "../../access/read-caller.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Work } from "../hooks.ts";
import type { Reader } from "./reader-texts.ts";

const known = new WeakMap<Queryable, Map<string, Promise<Reader | undefined>>>();

/** A user, by its own rights. Undefined when it cannot read anything: unknown, deleted, deactivated. */
export function readerOf(work: Work, userId: string): Promise<Reader | undefined> {
  const ofWork = known.get(work.transaction) ?? new Map<string, Promise<Reader | undefined>>();
  known.set(work.transaction, ofWork);
  const reader = ofWork.get(userId) ?? readUser(work, userId);
  ofWork.set(userId, reader);
  return reader;
}

async function readUser({ transaction, caller }: Work, userId: string): Promise<Reader | undefined> {
  const { organizationId, credential } = caller;
  const person = await readPerson(transaction, organizationId, userId);
  if (!person) return undefined;
  const user = await transaction.row(sql`
    select hour_format from access_controls__users
    where organization_id = ${organizationId}::bigint and id = ${userId}::bigint`);
  const preferences = { locale: person.locale, timeZone: person.timeZone, hours: user?.hour_format };
  return { caller: { ...person, credential }, preferences };
}

/** Who is no user: by the rights of whoever does it, in the organization's formats. */
export async function outsideReader({ transaction, caller }: Work): Promise<Reader> {
  const organization = await transaction.row(sql`
    select locale, time_zone from access_controls__organizations
    where organization_id = ${caller.organizationId}::bigint and id = ${caller.organizationId}::bigint`);
  return { caller, preferences: { locale: organization?.locale, timeZone: organization?.time_zone } };
}
