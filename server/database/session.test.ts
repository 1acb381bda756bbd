// Statements of a transaction that are sent without waiting for their answers: all of them are committed, or none; and
// whichever is waited for next tells what went wrong with the one that was not.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import { writeLogged } from "./changes.ts";
import { type Database, openDatabase, type Queryable } from "./database.ts";
import { openScope, within } from "./scope.ts";
import { asOne } from "./session.ts";
import { compile, type Sql, sql } from "./sql.ts";
import { SHARED } from "./versions.ts";

let own: TestDatabase;
let db: Database;

beforeAll(async () => {
  own = await testDatabase();
  db = own.db;
  await db.script("create table things (id integer primary key, name text)");
});
beforeEach(() => db.script("truncate things"));
afterAll(() => own.close());

const add = (id: number) => sql`insert into things (id, name) values (${id}::integer, ${`thing ${id}`})`;
const ids = async () => (await db.run(sql`select id from things order by id`)).rows.flat();

test("what is written without waiting is committed with the rest, in its order", async () => {
  const seen = await db.transaction(async (transaction) => {
    for (const id of [1, 2, 3]) await transaction.write(add(id));
    const { rows } = await transaction.run(sql`select count(*)::text from things`);
    await transaction.write(sql`update things set name = 'last' where id = ${2}::integer`);
    return rows;
  });
  expect(seen).toEqual([["3"]]);
  expect(await ids()).toEqual(["1", "2", "3"]);
  expect(await db.row(sql`select name from things where id = 2`)).toEqual({ name: "last" });
});

test("what is written together is one statement, kept with the rest or not at all", async () => {
  const three = [add(1), add(2), sql`insert into things (id, name) select ${3}::integer, ${"third"}`];
  const { text, values } = compile(asOne(three));
  expect(text.match(/insert into/gu)).toHaveLength(3);
  expect(text).toMatch(/^with "part1" as \(.*\), "part2" as \(.*\) insert into/u);
  expect(values).toEqual([1, "thing 1", 2, "thing 2", 3, "third"]);
  expect(compile(asOne([add(1)]))).toEqual(compile(add(1)));
  expect(() => asOne([])).toThrow("nothing to write");

  await db.transaction((transaction) => transaction.writeTogether(three));
  expect(await ids()).toEqual(["1", "2", "3"]);
  const clashing = db.transaction((transaction) => transaction.writeTogether([add(4), add(1)]));
  await expect(clashing).rejects.toMatchObject({ code: "23505" });
  await expect(db.writeTogether([add(5), add(1)])).rejects.toMatchObject({ code: "23505" });
  expect(await ids()).toEqual(["1", "2", "3"]);
  await db.writeTogether([add(6), add(7)]);
  expect(await ids()).toEqual(["1", "2", "3", "6", "7"]);
});

test("what all organizations share is changed before its version, which everybody who changes it waits for", async () => {
  await db.script("create table core__shared_versions (record_type text primary key, changes bigint not null)");
  const record = (transaction: Queryable, change: Sql) =>
    writeLogged(transaction, change, SHARED, "masters/currencies", [{ aclId: "0", delta: 1 }], []);
  await db.transaction((transaction) => record(transaction, add(1)));
  let second: Promise<unknown> = Promise.resolve();
  await db.transaction(async (transaction) => {
    await transaction.run(add(2));
    // It waits for the same row, and does not hold the version meanwhile.
    second = db.transaction((other) => record(other, add(2)));
    second.catch(() => undefined);
    await expect
      .poll(() =>
        db.row(
          sql`select count(*)::text as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      )
      .toEqual({ waiting: "1" });
    await record(transaction, add(3));
  });
  await expect(second).rejects.toMatchObject({ code: "23505" });
  expect(await ids()).toEqual(["1", "2", "3"]);
});

test("what is read together is the rows of all, in a transaction and without", async () => {
  const of = (kind: string, id: number): Sql => sql`
    select ${kind}::text, name from things where id >= ${id}::integer order by id limit 2`;
  await db.writeTogether([add(1), add(2), add(3)]);
  const all = [
    ["first", "thing 1"],
    ["first", "thing 2"],
    ["last", "thing 3"],
  ];
  expect(await db.readTogether([of("first", 1), of("none", 4), of("last", 3)])).toEqual(all);
  expect(await db.transaction((own) => own.readTogether([of("first", 1), of("last", 3)]))).toEqual(all);
});

test("what is sent behind the commit sees what was committed, and leaves the connection free", async () => {
  const db1 = openDatabase(own.connection, { connections: 3 });
  for (const round of [1, 2, 3]) {
    const { seen } = await db1.transaction(async (transaction) => {
      await transaction.write(add(round));
      // A transaction of its own: it is idle when this is run.
      const state = sql`select count(*)::text, (txid_current_if_assigned() is null)::text from things`;
      return { seen: transaction.behindCommit(state) };
    });
    expect(await seen).toEqual([[String(round), "true"]]);
  }
  expect(await ids()).toEqual(["1", "2", "3"]);
  await db1.close();
});

test("what is sent behind a commit of nothing is answered all the same", async () => {
  const { seen } = await db.transaction(async (transaction) => ({
    seen: transaction.behindCommit(sql`select ${"1"}::text`),
  }));
  expect(await seen).toEqual([["1"]]);
});

test("what is asked for behind a commit fails with the transaction, and by itself without undoing it", async () => {
  let behind: Promise<unknown> = Promise.resolve();
  const ask = (transaction: Queryable, statement: Sql): void => {
    behind = transaction.behindCommit(statement);
    behind.catch(() => undefined);
  };
  const clashing = db.transaction(async (transaction) => {
    await transaction.write(add(1));
    await transaction.write(add(1));
    ask(transaction, sql`select 1`);
  });
  await expect(clashing).rejects.toMatchObject({ code: "23505" });
  await expect(behind).rejects.toMatchObject({ code: "23505" });
  const refused = new Error("refused");
  const leaving = db.transaction(async (transaction) => {
    await transaction.write(add(2));
    ask(transaction, sql`select 1`);
    throw refused;
  });
  await expect(leaving).rejects.toBe(refused);
  await expect(behind).rejects.toThrow("the transaction came to nothing");
  expect(await ids()).toEqual([]);
  await db.transaction(async (transaction) => {
    await transaction.write(add(3));
    ask(transaction, sql`select 1 / ${0}::integer`);
  });
  await expect(behind).rejects.toMatchObject({ code: "22012" });
  expect(await ids()).toEqual(["3"]);
});

const failing: Readonly<
  Record<string, (transaction: Parameters<Parameters<Database["transaction"]>[0]>[0]) => Promise<unknown>>
> = {
  "by the commit": async () => undefined,
  "by the next statement": (transaction) => transaction.run(sql`select 1`),
  "by what is waited for after others that failed with it": async (transaction) => {
    await transaction.write(add(2));
    return transaction.prepared(sql`select ${"1"}::text`);
  },
  "by settling": (transaction) => transaction.settled(),
  "by a script": (transaction) => transaction.script("select 1"),
};

test.each(Object.keys(failing))("a write that failed is told %s, and nothing is kept", async (name) => {
  const run = db.transaction(async (transaction) => {
    await transaction.write(add(1));
    await transaction.write(add(1));
    await failing[name]?.(transaction);
  });
  await expect(run).rejects.toMatchObject({ code: "23505", constraint: "things_pkey" });
  expect(await ids()).toEqual([]);
});

const clash = new Error("there is one already");

test.each(Object.keys(failing))("a write that failed is told as it was explained, %s", async (name) => {
  const run = db.transaction(async (transaction) => {
    await transaction.write(add(1));
    await transaction.write(add(1));
    transaction.explain((error) => (String(error).includes("things_pkey") ? clash : undefined));
    await failing[name]?.(transaction);
  });
  await expect(run).rejects.toBe(clash);
  expect(await ids()).toEqual([]);
});

test("an explanation is of what was written before it, not of what comes after a savepoint or once that is settled", async () => {
  const about = (next: (transaction: Queryable) => Promise<unknown>) =>
    db.transaction(async (transaction) => {
      await transaction.write(add(1));
      transaction.explain(() => clash);
      await next(transaction);
      await transaction.write(add(1));
    });
  await expect(about((transaction) => transaction.settled())).rejects.toMatchObject({ code: "23505" });
  await expect(about((transaction) => transaction.script("savepoint one"))).rejects.toMatchObject({ code: "23505" });
});

test("a failure that a savepoint took back is not told again", async () => {
  await db.transaction(async (transaction) => {
    await transaction.write(add(1));
    await transaction.script("savepoint one");
    await transaction.write(add(1));
    await expect(transaction.settled()).rejects.toMatchObject({ code: "23505" });
    await transaction.script("rollback to savepoint one");
    await transaction.write(add(2));
    await transaction.settled();
  });
  expect(await ids()).toEqual(["1", "2"]);
});

test("a transaction whose first statement fails has begun nothing on its connection", async () => {
  await expect(db.transaction((transaction) => transaction.run(sql`select no_such_column`))).rejects.toMatchObject({
    code: "42703",
  });
  await db.transaction(async (transaction) => transaction.write(add(7)));
  expect(await ids()).toEqual(["7"]);
});

test("a failure that somebody swallowed does not look like a commit", async () => {
  const run = db.transaction(async (transaction) => {
    await transaction.write(add(1));
    await transaction.run(sql`select no_such_column`).catch(() => undefined);
  });
  await expect(run).rejects.toMatchObject({ code: "42703" });
  expect(await ids()).toEqual([]);
});

const leaving: Readonly<Record<string, (transaction: Queryable, leave: () => void) => Promise<unknown>>> = {
  "between two statements": async (transaction, leave) => {
    leave();
    return transaction.run(sql`select 1`);
  },
  "while a statement runs": async (transaction, leave) => {
    const running = transaction.run(sql`select pg_sleep(60)`);
    const asleep = () => db.rows(sql`select pid from pg_stat_activity where wait_event = 'PgSleep'`);
    await expect.poll(asleep).toHaveLength(1);
    leave();
    return running;
  },
  "before the commit": async (_, leave) => leave(),
};

test.each(Object.keys(leaving))("whoever leaves %s leaves no transaction on the connection", async (name) => {
  const client = new AbortController();
  const run = within({ ...openScope("1"), signal: client.signal }, () =>
    db.transaction(async (transaction) => {
      await transaction.run(add(1));
      await leaving[name]?.(transaction, () => client.abort());
    }),
  );
  await expect(run).rejects.toMatchObject({ code: "client_gone" });
  const open = await db.rows(sql`
    select state from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`);
  expect(open).toEqual([]);
  // Neither taken for a part of it, nor lost with it.
  await within(openScope("1"), () => db.run(add(2)));
  expect(await ids()).toEqual(["2"]);
});

test("statements prepared under a name that stood for another one are prepared anew", async () => {
  // More texts than are kept prepared, each often enough to be.
  const texts = Array.from({ length: 450 }, (_, index) => sql`select ${{ strings: [`'${index}'`], values: [] }}`);
  for (let round = 0; round < 3; round += 1) {
    const found = await db.transaction(async (transaction) => {
      const rows: unknown[] = [];
      for (const text of texts) rows.push((await transaction.prepared(text))[0]?.[0]);
      return rows;
    });
    expect(found).toEqual(texts.map((_, index) => String(index)));
  }
});

test("rows come with their names, and how many were touched", async () => {
  await db.transaction(async (transaction) => {
    await transaction.run(add(1));
    expect(await transaction.rows(sql`select id, name, null as nothing from things`)).toEqual([
      { id: "1", name: "thing 1", nothing: null },
    ]);
    expect(await transaction.run(sql`update things set name = 'x'`)).toEqual({ rows: [], count: 1 });
    expect(await transaction.row(sql`select id from things where id = 5`)).toBeUndefined();
  });
});

const inText = sql`select name from things where id = ${1}::integer`;
const twice = async (transaction: Queryable) => {
  // Prepared when it comes again.
  for (let turn = 0; turn < 3; turn += 1) await transaction.rows(inText);
};

test("what is prepared in a transaction outlives a change of the table in the same one", async () => {
  await db.transaction(async (transaction) => {
    await twice(transaction);
    await transaction.script("alter table things alter column name type varchar(80)");
    expect(await transaction.rows(inText)).toEqual([]);
    await transaction.script("savepoint one");
    await transaction.script("alter table things alter column name type varchar(90)");
    await twice(transaction);
    await transaction.script("rollback to savepoint one");
    expect(await transaction.rows(inText)).toEqual([]);
    await transaction.script("alter table things alter column name type text");
    expect(await transaction.rows(inText)).toEqual([]);
  });
});

test("what is prepared on a connection is prepared anew once the design has changed", async () => {
  // As many at a time as there are connections: each of them has it prepared.
  const onEach = () => Promise.all(Array.from({ length: 5 }, () => db.transaction(twice)));
  await onEach();
  await db.script("alter table things alter column name type varchar(80)");
  db.designChanged();
  await onEach();
  await db.script("alter table things alter column name type text");
  db.designChanged();
  await onEach();
});
