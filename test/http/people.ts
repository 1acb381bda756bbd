// People for the scenarios on the wire: users with the roles they are given, who log in with the administrator's password.
import { ident, type Sql, sql } from "../../server/database/sql.ts";
import { createUser } from "../../server/identity/create-user.ts";
import { foundOrganization } from "../../server/identity/found-organization.ts";
import { buildSnapshot, requireType, type Snapshot } from "../../server/metadata/snapshot.ts";
import { builtInTypes } from "../../server/modules/index.ts";
import { rowValues } from "../../server/records/read/row-values.ts";
import { insertRows } from "../../server/records/save/insert-rows.ts";
import type { TestService } from "../service.ts";

export interface Person {
  readonly id: string;
  readonly token: string;
}

export const snapshot: Snapshot = buildSnapshot(builtInTypes, [], "test");

/** `organizationId` "1" is the one that every test database starts with. */
export async function addPerson(
  service: TestService,
  userName: string,
  roles: readonly string[],
  organizationId = "1",
): Promise<Person> {
  const id = await service.db.transaction(async (transaction) => {
    const known = await transaction.rows(sql`
      select id, code from access_controls__roles where organization_id = ${organizationId}::bigint`);
    const secret = await transaction.row(sql`
      select hash from access_controls__secrets where organization_id = 1 and kind = 'password' limit 1`);
    return createUser(transaction, snapshot, organizationId, {
      userName,
      firstName: null,
      lastName: userName,
      roleIds: roles.map((code) => known.find((role) => role.code === code)?.id ?? ""),
      passwordHash: secret?.hash ?? "",
    });
  });
  return { id, token: await service.login(userName, service.admin.password) };
}

/** Another organization with an administrator of its own. */
export async function addOrganization(
  service: TestService,
  name: string,
): Promise<Person & { organizationId: string }> {
  const organization = await service.db.transaction((transaction) =>
    foundOrganization(transaction, snapshot, { name, currencyId: null, isOperator: false }),
  );
  const person = await addPerson(service, `${name}.admin`, ["administrator"], organization.id);
  return { ...person, organizationId: organization.id };
}

/** Rows written past the wire, as they would stand there after an import. */
export async function addRows(
  service: Pick<TestService, "db">,
  type: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  organizationId = "1",
): Promise<string[]> {
  const recordType = requireType(snapshot, type);
  return service.db.transaction((transaction) =>
    insertRows(
      transaction,
      snapshot,
      recordType,
      recordType.scope === "shared" ? undefined : organizationId,
      rows.map((row) => {
        const { columns, errors } = rowValues(recordType, row, { locale: "en-US", timeZone: "UTC" });
        if (Object.keys(errors).length > 0) throw new Error(JSON.stringify(errors));
        return columns;
      }),
    ),
  );
}

/** A long text in every row. It cannot be searched: finding its trigrams would take longer than all else. */
export async function describeAtLength(service: TestService, table: string, text: Sql): Promise<void> {
  await service.db.run(sql`alter table ${ident(table)} alter column search_text drop expression`);
  await service.db.run(sql`update ${ident(table)} set description = ${text}`);
}

/** Every element of a form tree, flat. */
// biome-ignore lint/suspicious/noExplicitAny: a form is whatever the service sent; tests say what they expect of it.
export function elements(form: any): any[] {
  return [form, ...(form.children ?? []).flatMap(elements)];
}
