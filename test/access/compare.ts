// Takes a world; asks the service and the naive model the same questions about it. Gives the answers that differ.
import { type MatrixOperation, matrixOperations, type RecordRight, recordRights } from "../../contract/permissions.ts";
import { type AclView, aclVersion } from "../../server/access/acl-directory.ts";
import type { Caller } from "../../server/access/caller.ts";
import { fieldMask, fieldPermission } from "../../server/access/field-mask.ts";
import { mayOperate } from "../../server/access/matrix.ts";
import { readPerson } from "../../server/access/read-caller.ts";
import { may, mayRead, type Rows } from "../../server/access/visibility.ts";
import type { Queryable } from "../../server/database/database.ts";
import { ident, join, type Sql, sql } from "../../server/database/sql.ts";
import type { RecordType } from "../../server/metadata/record-type.ts";
import { requireType, type Snapshot } from "../../server/metadata/snapshot.ts";
import { compareHolders } from "./compare-holders.ts";
import { compareLists } from "./compare-lists.ts";
import { recordTypes, sharedType, worldType } from "./lab-types.ts";
import * as naive from "./naive-access.ts";
import { type Comparison, everyType, type Question, typesOf } from "./question.ts";
import type { WorldOrganization, WorldUser } from "./world.ts";

export async function compareAll(question: Question, into: Comparison): Promise<void> {
  const { db, snapshot, world, now } = question;
  for (const organization of world.organizations) {
    for (const key of recordTypes) await compareColumns(db, snapshot, key, organization, now, into);
    await compareHolders(question, organization, into);
    for (const user of organization.users) {
      const who = `user ${user.id} of organization ${organization.id}`;
      const person = await readPerson(db, organization.id, user.id);
      if ((person !== undefined) !== naive.mayAct(user)) into.differences.push(`${who} may act`);
      if (!person) continue;
      const caller: Caller = { ...person, credential: { kind: "session", sessionId: "of the test" } };
      comparePerson(organization, user, caller, who, into);
      for (const key of [...recordTypes, sharedType]) {
        compareFields(snapshot, key, organization, user, caller, who, into);
        compareMatrix(snapshot, key, organization, user, caller, who, into);
      }
      // What takes longer is asked about some each time, and about others the next time.
      const isTurn = (every: number) => (Number(user.id) + into.rounds) % every === 0;
      for (const key of isTurn(3) ? everyType : recordTypes) {
        await compareRows(question, key, organization, user, caller, into);
      }
      if (isTurn(6)) {
        for (const key of everyType) await compareLists(question, key, organization, user, caller, into);
      }
      await compareShared(db, snapshot, organization, user, caller, who, into);
    }
  }
}

const same = (a: Iterable<unknown>, b: Iterable<unknown>): boolean =>
  JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());

function comparePerson(
  organization: WorldOrganization,
  user: WorldUser,
  caller: Caller,
  who: string,
  into: Comparison,
): void {
  if (!same(caller.principals, naive.principalsOf(organization, user))) into.differences.push(`${who}: principals`);
  const ascending = caller.principals.every((id, index) => index === 0 || id > (caller.principals[index - 1] ?? id));
  if (!ascending) into.differences.push(`${who}: principals are not ascending`);
  if (caller.isAdministrator !== naive.isAdministrator(organization, user))
    into.differences.push(`${who}: administrator`);
}

function compareFields(
  snapshot: Snapshot,
  key: string,
  organization: WorldOrganization,
  user: WorldUser,
  caller: Caller,
  who: string,
  into: Comparison,
): void {
  const type = requireType(snapshot, key);
  const plain = worldType(snapshot, key);
  for (const field of [...type.field.keys(), "no_such_field"]) {
    for (const operation of ["view", "add", "edit"] as const) {
      const expected = naive.fieldPermission(organization, user, plain, field, operation);
      const got = fieldPermission(type, field, caller, operation);
      if (got !== expected) into.differences.push(`${who}: ${key}.${field} on ${operation} is ${got}, not ${expected}`);
    }
  }
  const mask = fieldMask(type, caller);
  const edit = (field: string) => naive.fieldPermission(organization, user, plain, field, "edit");
  const names = [...type.field.keys()];
  if (
    !same(
      mask.visible,
      names.filter((name) => edit(name) !== 1),
    )
  )
    into.differences.push(`${who}: ${key} visible`);
  if (
    !same(
      mask.editable,
      names.filter((name) => edit(name) === 2),
    )
  )
    into.differences.push(`${who}: ${key} editable`);
  if (mask.key !== names.map(edit).join("")) into.differences.push(`${who}: ${key} mask key`);
}

function compareMatrix(
  snapshot: Snapshot,
  key: string,
  organization: WorldOrganization,
  user: WorldUser,
  caller: Caller,
  who: string,
  into: Comparison,
): void {
  const type = requireType(snapshot, key);
  const plain = worldType(snapshot, key);
  const wrong = matrixOperations.filter(
    (operation: MatrixOperation) =>
      mayOperate(caller, type, operation) !== naive.mayOperate(organization, user, plain, operation),
  );
  if (wrong.length > 0) into.differences.push(`${who}: matrix of ${key}: ${wrong.join(" ")}`);
}

/** Asks about every row of the table, whoever's it is: the database, and the access sets kept in memory. */
async function compareRows(
  { db, snapshot, directory, world, now }: Question,
  key: string,
  organization: WorldOrganization,
  user: WorldUser,
  caller: Caller,
  into: Comparison,
): Promise<void> {
  const type = requireType(snapshot, key);
  const types = typesOf(snapshot);
  // Both ways of asking: by all sets that hold, and by each row's own.
  const [many, few] = [answersOf(caller, type, "many"), answersOf(caller, type, "few")];
  const { rows } = await db.run(sql`
    select r.id::text, r.acl_id::text, ${many}, ${few}, ${aclVersion(organization.id)} from ${ident(type.table)} r`);
  const answers = new Map(rows.map((row) => [row[0], row]));
  const idsWhere = async (condition: Sql) =>
    (await db.run(sql`select r.id::text from ${ident(type.table)} r where ${condition}`)).rows.map(([id]) => id);
  const visible = new Set(await idsWhere(mayRead(caller, type, "r")));
  const named = new Set(await idsWhere(mayRead(caller, type, "r", "few")));
  // As every statement does that leans on it: what is kept holds for as long as the version has not moved.
  const version = rows[0]?.at(-1);
  if ((await directory.view(caller, type)).version !== version) directory.forget(organization.id, version ?? "0");
  const view = await directory.view(caller, type);

  for (const home of world.organizations) {
    for (const record of home.records) {
      if (record.type !== key) continue;
      const [, aclId = null, ...flags] = answers.get(record.id) ?? [];
      const remembered = home === organization ? fromMemory(view, aclId ?? "") : undefined;
      recordRights.forEach((right, index) => {
        const expected = naive.mayWith(organization, user, types, home, record, right, now);
        into.cases += 1;
        if (expected) into.allowed += 1;
        const got = [flags[index] === "1", flags[recordRights.length + index] === "1"];
        if (right === "read") got.push(visible.has(record.id), named.has(record.id));
        if (remembered) got.push(remembered[right]);
        if (got.every((answer) => answer === expected)) return;
        into.differences.push(
          `user ${user.id} of organization ${organization.id}: ${right} ${key} ${record.id} of organization ${home.id} is ${got}, not ${expected}`,
        );
      });
      visible.delete(record.id);
      named.delete(record.id);
    }
  }
  for (const id of named) visible.add(id);
  // Rows of other worlds in the same table belong to other organizations.
  if (visible.size > 0) into.differences.push(`user ${user.id}: sees ${key} ${[...visible].join(" ")} of strangers`);
}

/** A flag for each right, in their order. */
const answersOf = (caller: Caller, type: RecordType, rows: Rows): Sql =>
  join(
    recordRights.map((right) => {
      const holds = right === "read" ? mayRead(caller, type, "r", rows) : may(right, caller, type, "r", rows);
      return sql`${holds}::integer`;
    }),
  );

function fromMemory(view: AclView, aclId: string): Record<RecordRight, boolean> {
  const row: Record<string, unknown> = JSON.parse(`{${view.fragment(aclId)}}`);
  return {
    read: view.readable === undefined || view.readable.has(aclId),
    edit: row.is_edit === true,
    delete: row.is_delete === true,
    comment: row.is_comment === true,
  };
}

/** What the record's access columns name, whoever asks. */
async function compareColumns(
  db: Queryable,
  snapshot: Snapshot,
  key: string,
  organization: WorldOrganization,
  now: string,
  into: Comparison,
): Promise<void> {
  const rows = await db.rows(sql`
    select r.id::text as id, array_to_string(s._acl, ' ') as read, array_to_string(s._acl_edit, ' ') as edit,
      array_to_string(s._acl_delete, ' ') as delete, array_to_string(s._acl_comment, ' ') as comment
    from ${ident(requireType(snapshot, key).table)} r
    join core__acl_sets s on s.organization_id = r.organization_id and s.id = r.acl_id
    where r.organization_id = ${organization.id}::bigint`);
  const stored = new Map(rows.map((row) => [row.id, row]));
  const plain = worldType(snapshot, key);
  for (const record of organization.records) {
    if (record.type !== key) continue;
    for (const right of recordRights) {
      const expected = naive.namedPrincipals(organization, plain, record, right, now).join(" ") || null;
      const got = stored.get(record.id)?.[right];
      if (got !== expected) into.differences.push(`${key} ${record.id}: ${right} names ${got}, not ${expected}`);
    }
  }
}

async function compareShared(
  db: Queryable,
  snapshot: Snapshot,
  organization: WorldOrganization,
  user: WorldUser,
  caller: Caller,
  who: string,
  into: Comparison,
): Promise<void> {
  const type = requireType(snapshot, sharedType);
  const writes = naive.isAdministrator(organization, user) && organization.operator;
  const row = await db.row(sql`
    select bool_and(${mayRead(caller, type, "r")})::text as read, bool_and(${may("edit", caller, type, "r")})::text as edit,
      bool_or(${may("delete", caller, type, "r")})::text as delete
    from ${ident(type.table)} r`);
  const got = `${row?.read} ${row?.edit} ${row?.delete}`;
  if (got !== `true ${writes} ${writes}`) into.differences.push(`${who}: shared rows are ${got}`);
}
