// Statements that stand one behind the other on a connection: what becomes of one that is stopped is not told to the next.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import { type Database, openDatabase } from "./database.ts";
import { openScope, type Scope, within } from "./scope.ts";
import { expression, sql } from "./sql.ts";

let own: TestDatabase;
let db: Database;

beforeAll(async () => {
  own = await testDatabase();
  await own.db.script("create table things (id integer); insert into things values (1)");
  db = openDatabase(own.connection, { preparedConnections: 1, statementMs: 300 });
});
afterAll(async () => {
  await db.close();
  await own.close();
});

const count = (least: number) => db.prepared(sql`select count(*)::text from things where id > ${least}`);

/** Runs while nobody can read the table. */
const locked = <T>(work: () => Promise<T>): Promise<T> =>
  own.db.transaction(async (transaction) => {
    await transaction.run(sql`lock table things in access exclusive mode`);
    return work();
  });

const codes = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.map((outcome) =>
    outcome.status === "fulfilled" ? "answered" : (outcome.reason.code ?? outcome.reason.message),
  );

describe("a prepared statement that is stopped while it is prepared", () => {
  test("does not fail those behind it for not being there", async () => {
    const outcomes = await locked(() => Promise.allSettled([0, 0, 0, 0, 0].map(count)));
    expect(codes(outcomes)).toEqual(Array(5).fill("took_too_long"));
    expect(await count(0)).toEqual([["1"]]);
  });

  test("because its client went away leaves those behind it their answer", async () => {
    const text = (id: number) => sql`select id::text from things where id = ${id}`;
    const waiting = async () =>
      (
        await own.db.row(sql`select count(*)::text as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      )?.count;
    const patient = openDatabase(own.connection, { preparedConnections: 1 });
    try {
      await within(openScope("1"), () => patient.prepared(text(1)));
      const client = new AbortController();
      const scope: Scope = { ...openScope("1"), signal: client.signal };
      const outcomes = await locked(async () => {
        const first = within(scope, () => patient.prepared(text(1)));
        const others = [1, 1, 1].map((id) => within(openScope("1"), () => patient.prepared(text(id))));
        await expect.poll(waiting).toBe("1");
        client.abort();
        await expect(first).rejects.toMatchObject({ code: "client_gone" });
        return others;
      });
      expect(await Promise.all(outcomes)).toEqual([[["1"]], [["1"]], [["1"]]]);
    } finally {
      await patient.close();
    }
  });
});

/** As a server that goes down just then: a connection is ready, and lost with the same message. */
async function fallingServer() {
  const message = (type: string, ...body: (string | number)[]) => {
    const bytes = Buffer.concat(body.map((one) => (typeof one === "number" ? Buffer.from([one]) : Buffer.from(one))));
    const head = Buffer.from(`${type}....`);
    head.writeInt32BE(bytes.length + 4, 1);
    return Buffer.concat([head, bytes]);
  };
  const greeting = Buffer.concat([
    message("R", 0, 0, 0, 0),
    message("Z", "I"),
    message("E", "SFATAL\0", "C57P01\0", "Mterminating connection due to unexpected postmaster exit\0", 0),
  ]);
  const server = createServer((socket) => void socket.on("error", () => {}).once("data", () => socket.end(greeting)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // of a TCP server
  return { connection: { host: "127.0.0.1", port, user: "x", password: "x" }, close: () => server.close() };
}

test.each(["row", "prepared", "apart", "transaction", "session"] as const)(
  "a connection that is lost as soon as it is made fails what it was made for, and not the process: %s",
  async (way) => {
    const server = await fallingServer();
    const falling = openDatabase(server.connection);
    const one = sql`select 1 as one`;
    try {
      const asked = way === "transaction" || way === "session" ? falling[way]((on) => on.row(one)) : falling[way](one);
      await expect(asked).rejects.toMatchObject({ code: "database_unavailable" });
    } finally {
      await falling.close();
      server.close();
    }
  },
);

test.each([
  ["failure on connection marked as essential: 127.0.0.1:5612", "database_unavailable"],
  ["unexpected state", "XX000"],
])("what a distributed database says of a worker that is lost is told from other faults: %s", async (words, code) => {
  const raised = `do $$ begin raise exception '${words}' using errcode = 'XX000'; end $$`;
  await expect(own.db.run(expression(raised))).rejects.toMatchObject({ code });
});

test("a transaction that finds the connection to a worker lost starts over; a single statement may have been done", async () => {
  await own.db.script("create sequence tries");
  const lostOnce = sql`
    select case when nextval('tries') % 2 = 1 then raise_lost() else 'done' end as result`;
  await own.db.script(`create function raise_lost() returns text language plpgsql as $$
    begin raise exception 'failure on connection marked as essential: 127.0.0.1:5612' using errcode = 'XX000'; end $$`);
  expect(await own.db.transaction((transaction) => transaction.row(lostOnce))).toEqual({ result: "done" });
  await expect(own.db.row(lostOnce)).rejects.toMatchObject({ code: "database_unavailable" });
});
