// Who may still act: by the session or key that a caller came with, and by the user behind it.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../../server/access/caller.ts";
import { readAlive } from "../../server/access/read-alive.ts";
import { sql } from "../../server/database/sql.ts";
import { testCaller } from "../../server/plan/column-fixture.ts";
import { type TestDatabase, testDatabase } from "../database.ts";

let own: TestDatabase;
let userId: string;
const sessionId = "0198c0de-0000-7000-8000-000000000001";

beforeAll(async () => {
  own = await testDatabase("prepared");
  const user = await own.db.row(sql`
    select id::text as id from access_controls__users where organization_id = 1 and is_active = 1 order by id limit 1`);
  userId = user?.id ?? "";
  await own.db.run(sql`
    insert into access_controls__sessions (organization_id, id, user_id, expires, acl_id)
    values (1, ${sessionId}::uuid, ${userId}::bigint, now() + interval '1 day', 0)`);
});
afterAll(() => own.close());

const by = (credential: Caller["credential"], id = userId): Caller =>
  testCaller({ organizationId: "1", userId: id, credential });

test("a session that is open, of a user who is active; nothing else, asked for together or alone", async () => {
  const session = { kind: "session", sessionId } as const;
  const callers = [
    by(session),
    by({ ...session, sessionId: "0198c0de-0000-7000-8000-000000000002" }),
    by(session, "999999"),
    by({ kind: "api-key", keyId: userId, scope: "read", networks: [] }),
    by({ kind: "job", jobId: "1" }),
    by({ kind: "job", jobId: "1", keyId: userId }),
  ];
  const alive = [true, false, false, false, false, false];
  expect(await readAlive(own.db, "1", callers)).toEqual(alive);
  for (const [index, caller] of callers.entries())
    expect(await readAlive(own.db, "1", [caller])).toEqual([alive[index]]);
  expect(await readAlive(own.db, "2", [by(session)])).toEqual([false]);
  await own.db.run(sql`
    update access_controls__sessions set ended = now() at time zone 'utc' where organization_id = 1 and id = ${sessionId}::uuid`);
  expect(await readAlive(own.db, "1", [by(session)])).toEqual([false]);
});
