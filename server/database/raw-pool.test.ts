// Whoever shares raw connections with somebody whose statements do not end gets its answers all the same.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import { saversFirst } from "../lib/turns/savers-first.ts";
import { type Database, openDatabase } from "./database.ts";
import { openScope, within } from "./scope.ts";
import { sql } from "./sql.ts";

let own: TestDatabase;

beforeAll(async () => {
  own = await testDatabase();
  await own.db.script("create table held (id integer); create table free (id integer)");
});
afterAll(() => own.close());

type Send = (db: Database, table: "held" | "free") => Promise<unknown>;
const statement = (table: "held" | "free") =>
  table === "held" ? sql`select count(*)::text from held` : sql`select count(*)::text from free`;
const ways: readonly (readonly [string, Send])[] = [
  ["prepared", (db, table) => db.prepared(statement(table))],
  ["unprepared", (db, table) => db.bytes(statement(table))],
  ["plain", (db, table) => db.rows(statement(table))],
  ["in a transaction", (db, table) => db.transaction((transaction) => transaction.rows(statement(table)))],
];

const inTheName = <T>(share: string, work: () => Promise<T>): Promise<T> => within(openScope(share), work);

const waiting = async (): Promise<number> => {
  const row = await own.db.row(sql`
    select count(*)::text as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  return Number(row?.count);
};

test.each(ways)("%s, in the same moment as the others, again and again", async (_, send) => {
  const db = openDatabase(own.connection);
  try {
    const stuck = await own.db.transaction(async (transaction) => {
      await transaction.run(sql`lock table held in access exclusive mode`);
      const crowd = Array.from({ length: 20 }, () => inTheName("loud", () => send(db, "held")));
      await inTheName("quiet", () => send(db, "free"));
      await expect.poll(waiting).toBeGreaterThan(0);
      for (let round = 0; round < 3; round += 1) {
        crowd.push(inTheName("loud", () => send(db, "held")));
        await Promise.all(Array.from({ length: 8 }, () => inTheName("quiet", () => send(db, "free"))));
      }
      return crowd;
    });
    await Promise.all(stuck);
  } finally {
    await db.close();
  }
});

test.each(ways.slice(0, 1))("%s, beside several whose statements do not end", async (_, send) => {
  const db = openDatabase(own.connection);
  try {
    const stuck = await own.db.transaction(async (transaction) => {
      await transaction.run(sql`lock table held in access exclusive mode`);
      const crowd = ["a", "b", "c"].flatMap((share) =>
        Array.from({ length: 10 }, () => inTheName(share, () => send(db, "held"))),
      );
      await expect.poll(waiting).toBeGreaterThan(2);
      await Promise.all(Array.from({ length: 8 }, () => inTheName("quiet", () => send(db, "free"))));
      return crowd;
    });
    await Promise.all(stuck);
  } finally {
    await db.close();
  }
});

test("rows of somebody who reads wait for their turn, those of somebody who saves do not", async () => {
  const turns = vi.spyOn(saversFirst, "readerTurn");
  const count = async (reads: boolean): Promise<number> => {
    turns.mockClear();
    await within({ ...openScope("any"), reads }, () => own.db.prepared(statement("free")));
    return turns.mock.calls.length;
  };
  try {
    expect([await count(true), await count(false)]).toEqual([1, 0]);
  } finally {
    turns.mockRestore();
  }
});
