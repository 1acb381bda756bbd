// Asks the rule the other way round, of the service and of the naive model: who may read a record, and which principals
// hold which right on it. Adds the answers that differ.
import { type RecordRight, recordRights } from "../../contract/permissions.ts";
import { principalsWhoHold, usersWhoRead } from "../../server/access/readers.ts";
import { ident, sql } from "../../server/database/sql.ts";
import { requireType } from "../../server/metadata/snapshot.ts";
import { idTypeOf } from "../../server/query/lock-rows.ts";
import * as naive from "./naive-access.ts";
import { type Comparison, type Question, typesOf } from "./question.ts";
import type { WorldOrganization, WorldRecord } from "./world.ts";

/** One record in so many each time: there are several times. */
const EVERY = 7;

export async function compareHolders(
  question: Question,
  organization: WorldOrganization,
  into: Comparison,
): Promise<void> {
  for (const [index, record] of organization.records.entries()) {
    if (index % EVERY !== into.rounds % EVERY) continue;
    await compareReaders(question, organization, record, into);
    if (record.to === undefined) await comparePrincipals(question, organization, record, into);
  }
}

async function compareReaders(
  { db, snapshot, now }: Question,
  organization: WorldOrganization,
  record: WorldRecord,
  into: Comparison,
): Promise<void> {
  const type = requireType(snapshot, record.type);
  const types = typesOf(snapshot);
  const asked = { type, id: record.id, idType: idTypeOf(type) };
  const rows = await db.rows(usersWhoRead(organization.id, asked, sql`true`));
  const got = rows.map((row) => row.id).sort();
  const plain = types.get(record.type);
  const expected = organization.users
    .filter(
      (user) =>
        naive.mayAct(user) &&
        plain !== undefined &&
        naive.mayOperate(organization, user, plain, "view") &&
        naive.mayWith(organization, user, types, organization, record, "read", now),
    )
    .map((user) => user.id)
    .sort();
  into.cases += organization.users.length;
  into.allowed += expected.length;
  if (got.join() !== expected.join()) {
    into.differences.push(`readers of ${record.type} ${record.id} are ${got}, not ${expected}`);
  }
}

async function comparePrincipals(
  { db, snapshot, now }: Question,
  organization: WorldOrganization,
  record: WorldRecord,
  into: Comparison,
): Promise<void> {
  const type = requireType(snapshot, record.type);
  const plain = typesOf(snapshot).get(record.type);
  if (!plain) return;
  const row = await db.row(sql`
    select acl_id::text as acl_id from ${ident(type.table)}
    where organization_id = ${organization.id}::bigint and id = ${record.id}::${idTypeOf(type)}`);
  const held = await db.rows(principalsWhoHold(organization.id, type, row?.acl_id ?? "0"));
  const named = (right: RecordRight): number[] => [
    ...naive.namedPrincipals(organization, plain, record, right, now),
    ...(right === "comment" ? [] : record.grants[right]),
  ];
  const administrators = organization.roles.filter((role) => role.administrator && !role.deleted);
  for (const right of recordRights) {
    const expected = new Set(
      right === "read" ? [...named("read"), ...named("edit"), ...named("delete")] : named(right),
    );
    if (!plain.confidential) for (const { principal } of administrators) expected.add(principal);
    const got = new Set(held.flatMap((one) => (one.right === right ? [Number(one.principal)] : [])));
    const texts = [got, expected].map((set) => [...set].sort((a, b) => a - b).join(" "));
    if (texts[0] !== texts[1]) {
      into.differences.push(`${right} on ${record.type} ${record.id} is held by ${texts[0]}, not ${texts[1]}`);
    }
  }
}
