// Whom a token stands for, from the database and from memory: until when it counts, and what of it is asked again each time.
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import type { Database } from "../database/database.ts";
import { openScope, within } from "../database/scope.ts";
import { type Sql, sql } from "../database/sql.ts";
import { createUser } from "../identity/create-user.ts";
import { instant } from "../lib/instant.ts";
import { digest, newSecret, tokenSigner } from "../lib/secrets/tokens.ts";
import { uuidv7 } from "../lib/uuid.ts";
import { requireType } from "../metadata/snapshot.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { prepareDatabase } from "../prepare.ts";
import { insertRows } from "../records/save/insert-rows.ts";
import { plainRecipe } from "./acl.ts";
import { internAcl } from "./acl-sets.ts";
import { createAuthenticator } from "./authenticate.ts";

let database: TestDatabase;
let metadata: MetadataStore;
const organizationId = "1";
const signer = tokenSigner("a secret of the test");
const refused = { code: "login_required" };

beforeAll(async () => {
  database = await testDatabase("prepared");
  metadata = await prepareDatabase(database.db);
});
afterAll(() => database.close());

const authenticator = (db: Database = database.db, messagesArrive = () => true) =>
  createAuthenticator(db, signer, () => metadata.current(), messagesArrive);

let made = 0;
/** Somebody with a session and a key; `session` and `key` are the conditions of their rows. */
async function addSomebody() {
  made += 1;
  const { db } = database;
  const snapshot = metadata.current();
  const name = `somebody.${made}`;
  const person = { userName: name, firstName: null, lastName: name, roleIds: [] };
  const userId = await db.transaction((transaction) => createUser(transaction, snapshot, organizationId, person));
  const sessionId = uuidv7();
  await insertRows(db, snapshot, requireType(snapshot, "access_controls/sessions"), organizationId, [
    { id: sessionId, user_id: userId, owned_by: userId, expires: "2099-01-01 00:00:00" },
  ]);
  const [keyId = ""] = await insertRows(
    db,
    snapshot,
    requireType(snapshot, "access_controls/api_keys"),
    organizationId,
    [{ name: "Key", user_id: userId, owned_by: userId, scope: "write" }],
  );
  const key = newSecret("dk", organizationId, keyId);
  await db.run(sql`
    insert into access_controls__secrets (organization_id, kind, subject, hash)
    values (1, 'api-key', ${keyId}, ${digest(key)})`);
  const user = sql`organization_id = 1 and id = ${userId}::bigint`;
  return {
    userId,
    tokens: { session: await signer.sign({ userId, organizationId, sessionId }), key },
    change: {
      user: (set: Sql) => db.run(sql`update access_controls__users set ${set} where ${user}`),
      session: (set: Sql) => db.run(sql`update access_controls__sessions set ${set} where id = ${sessionId}::uuid`),
      key: (set: Sql) => db.run(sql`update access_controls__api_keys set ${set} where id = ${keyId}::bigint`),
    },
  };
}

const past = sql`'2020-01-01'::timestamp`;
/** What ends a credential, and whether somebody who is known hears of it only when what is kept has run out. */
const ends: readonly (readonly [string, "session" | "key", "user" | "session" | "key", Sql, "at once" | "later"])[] = [
  ["a session that has ended", "session", "session", sql`ended = ${past}`, "at once"],
  ["a session that was deleted", "session", "session", sql`deleted = 1`, "at once"],
  ["a session that has run out", "session", "session", sql`expires = ${past}`, "later"],
  ["a session of somebody who was deactivated", "session", "user", sql`is_active = 0`, "at once"],
  ["a session of somebody who was deleted", "session", "user", sql`deleted = 1`, "at once"],
  ["a key that was revoked", "key", "key", sql`revoked = ${past}`, "at once"],
  ["a key that was deleted", "key", "key", sql`deleted = 1`, "at once"],
  ["a key that has run out", "key", "key", sql`expires = ${past}`, "later"],
  ["a key of somebody who was deactivated", "key", "user", sql`is_active = 0`, "at once"],
  ["a key of somebody who was deleted", "key", "user", sql`deleted = 1`, "at once"],
];

test.each(ends)("%s lets nobody in, not even where it was known", async (_, kind, what, set, when) => {
  const { tokens, change, userId } = await addSomebody();
  const known = authenticator();
  const first = await known.authenticate(tokens[kind]);
  expect(first.caller.userId).toBe(userId);
  await first.confirmed;
  await change[what](set);
  await expect(authenticator().authenticate(tokens[kind])).rejects.toMatchObject(refused);
  if (when === "later") return;
  await expect((await known.authenticate(tokens[kind])).confirmed).rejects.toMatchObject(refused);
  await expect(known.authenticate(tokens[kind])).rejects.toMatchObject(refused);
});

test("a session is its own user's, and what nobody signed or made is refused", async () => {
  const [one, other] = [await addSomebody(), await addSomebody()];
  const stolen = await signer.sign({
    userId: other.userId,
    organizationId,
    sessionId: (await signer.verify(one.tokens.session))?.sessionId ?? "",
  });
  const wrong = one.tokens.key.slice(0, -1) + (one.tokens.key.endsWith("A") ? "B" : "A");
  const elsewhere = await tokenSigner("another secret").sign({
    userId: one.userId,
    organizationId,
    sessionId: uuidv7(),
  });
  for (const token of [stolen, wrong, elsewhere, "dk_1_1", "dr_1_1_x", ""])
    await expect(authenticator().authenticate(token)).rejects.toMatchObject(refused);
});

test("a key says what it may do, and when it was used last", async () => {
  const { tokens, change, userId } = await addSomebody();
  const scopeOf = async () => (await authenticator().authenticate(tokens.key)).caller.credential;
  expect(await scopeOf()).toMatchObject({ kind: "api-key", scope: "write" });
  await change.key(sql`scope = 'read', last_used = null`);
  expect(await scopeOf()).toMatchObject({ kind: "api-key", scope: "read" });
  // It is written beside the request.
  const used = () =>
    database.db.row(sql`
      select 1 as used from access_controls__api_keys where user_id = ${userId}::bigint and last_used is not null`);
  await expect.poll(used).toBeDefined();
});

describe("what is kept of somebody", () => {
  const nameBy = async (known: ReturnType<typeof authenticator>, token: string) =>
    (await known.authenticate(token)).caller.fullName;
  const rename = sql`name = 'Renamed'`;

  test.each<["session" | "key", boolean, string]>([
    ["session", true, "somebody"],
    ["session", false, "Renamed"],
    ["key", true, "somebody"],
    ["key", false, "Renamed"],
  ])("by a %s, while messages arrive: %s", async (kind, arrives, begins) => {
    const { tokens, change } = await addSomebody();
    const known = authenticator(database.db, () => arrives);
    await nameBy(known, tokens[kind]);
    await change.user(rename);
    expect((await nameBy(known, tokens[kind])).startsWith(begins)).toBe(true);
  });

  test("is forgotten with the organization, or with all of them, and not with another", async () => {
    const { tokens, change } = await addSomebody();
    const known = authenticator();
    await nameBy(known, tokens.session);
    await change.user(rename);
    known.forget("2");
    expect(await nameBy(known, tokens.session)).not.toBe("Renamed");
    known.forget(organizationId);
    expect(await nameBy(known, tokens.session)).toBe("Renamed");
    await change.user(sql`name = 'Again'`);
    known.forget();
    expect(await nameBy(known, tokens.session)).toBe("Again");
  });

  test("is used once and not kept where something changed while it was read", async () => {
    const { tokens, change } = await addSomebody();
    let during: (() => void) | undefined;
    const db: Database = {
      ...database.db,
      row: async (statement: Sql) => {
        during?.();
        return database.db.row(statement);
      },
    } as Database;
    const known = authenticator(db);
    during = () => known.forget(organizationId);
    await nameBy(known, tokens.session);
    during = undefined;
    await change.user(rename);
    expect(await nameBy(known, tokens.session)).toBe("Renamed");
  });

  test.each(["session", "key"] as const)("by a %s ends with the next share of the organization", async (kind) => {
    const { tokens, change, userId } = await addSomebody();
    const row = await database.db.row(sql`
      select principal_id::text as p from access_controls__users where id = ${userId}::bigint`);
    const until = instant(new Date(Date.now() + 30_000));
    const shares = [{ principal: Number(row?.p), rights: ["read" as const], until }];
    const [aclId = ""] = await database.db.transaction((transaction) =>
      internAcl(transaction, metadata.current(), organizationId, [{ ...plainRecipe("crm/leads", null, null), shares }]),
    );
    const readers = async () =>
      (await database.db.row(sql`select readers::text as r from core__acl_sets where id = ${aclId}::integer`))?.r;
    const known = authenticator();
    await nameBy(known, tokens[kind]);
    await change.user(rename);
    expect(await nameBy(known, tokens[kind])).not.toBe("Renamed");
    expect(await readers()).toContain(row?.p);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(`${until.replace(" ", "T")}Z`) });
    onTestFinished(() => void vi.useRealTimers());
    const scope = openScope(organizationId);
    expect(await within(scope, () => nameBy(known, tokens[kind]))).toBe("Renamed");
    expect(await readers()).not.toContain(row?.p);
    // Whoever happened to come then has saved nothing.
    expect(scope.saved).toBe(false);
  });
});
