// The feed of changes while the service, and a backend of the database, are killed with -9 under many writers: each reader is given
// what was committed and what it may read, once, in order per record, and nothing behind a cursor that was handed out.
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase, type Queryable } from "../../server/database/database.ts";
import { sql } from "../../server/database/sql.ts";
import { createUser } from "../../server/identity/create-user.ts";
import { requireType } from "../../server/metadata/snapshot.ts";
import { insertRows } from "../../server/records/save/insert-rows.ts";
import { fillDatabase, testAdministrator } from "../global-setup.ts";
import { addRows, snapshot } from "../http/people.ts";
import { runs } from "../runs.ts";
import { onLinux, runningEngine, temporaryFolder } from "./lab.ts";
import { type Asked, ask as askOf, startProcess, temporaryData } from "./real-process.ts";

interface Page {
  readonly errors: readonly string[];
  readonly cursor: string;
  readonly more: number;
  readonly data: { readonly changes: readonly { readonly id: string; readonly revision: string }[] };
}

interface Saved {
  readonly data?: { readonly leads?: { readonly revision?: string } };
}

const any = (most: number): number => Math.floor(Math.random() * most);
const leads = requireType(snapshot, "crm/leads");

test.runIf(onLinux)("many writers, kill -9, and readers from any cursor", { timeout: 240_000 }, async () => {
  const engine = await runningEngine(temporaryFolder(), { settings: { fsync: "off", full_page_writes: "off" } });
  const db = openDatabase(engine.connection);
  onTestFinished(() => db.close());
  await fillDatabase(db);
  await db.run(sql`update core__workflows set is_active = 0 where organization_id = 1`);
  const [rep, other] = await db.transaction(async (transaction) => {
    const role = await transaction.row(sql`
      select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`);
    const secret = await transaction.row(
      sql`select hash from access_controls__secrets where kind = 'password' limit 1`,
    );
    const roleIds = [role?.id ?? ""];
    const person = (userName: string) =>
      createUser(transaction, snapshot, "1", {
        ...{ userName, firstName: null, lastName: userName, roleIds, passwordHash: secret?.hash ?? "" },
      });
    return [await person("rep"), await person("other")];
  });
  const owners = [rep, other];

  const environment = { DATA_DIR: temporaryData(), TOKEN_SECRET: "one secret for all the processes of this test" };
  let running = await startProcess(engine.connection, environment);
  const ask = (address: string, asked: Asked) => askOf(running.url, address, asked);
  const login = async (user_name: string): Promise<string> => {
    const users = { user_name, user_password: testAdministrator.password };
    const { body } = await ask("/access_controls/users/login.json", { body: { data: { users } } });
    return body.access_token ?? "";
  };
  const admin = await login(testAdministrator.userName);
  const tokens = [admin, await login("rep"), await login("other")];

  // Several people edit the same few.
  const few = await addRows(
    { db },
    "crm/leads",
    [rep, other, rep].map((owned_by) => ({ last_name: "Few", owned_by })),
  );
  const cursorOf = async (token: string): Promise<string> => {
    const { body } = await ask("/core/changes/index.json", { token });
    return (body as unknown as Page).cursor;
  };

  let isOver = false;
  let written = 0;
  const acknowledged = new Map<string, number>();
  const note = (id: string | undefined, revision: number) => {
    if (id === undefined) return;
    acknowledged.set(id, Math.max(acknowledged.get(id) ?? 0, revision));
    written += 1;
  };
  const action = { save_continue: "Save" };
  const overTheWire = async (): Promise<void> => {
    while (!isOver) {
      const values = { last_name: "Wire", owned_by: owners[any(2)] };
      const added = await ask("/crm/leads/add.json", { body: { data: { leads: values, action } }, token: admin });
      if (added.status === 200) note(added.body.id, 1);
      const id = few[any(few.length)] ?? "";
      const edit = { leads: { id, score: String(any(1_000_000)) }, action };
      const edited = await ask("/crm/leads/edit.json", { body: { data: edit }, token: admin });
      const { leads: saved } = (edited.body as unknown as Saved | undefined)?.data ?? {};
      if (edited.status === 200) note(id, Number(saved?.revision));
      if (added.status === undefined) await delay(20);
    }
  };
  /** Commits late, or not at all. */
  const inTransactions = async (): Promise<void> => {
    while (!isOver) {
      const rows = owners.map((owned_by) => ({ last_name: "Late", owned_by }));
      const isKept = any(3) > 0;
      const write = async (transaction: Queryable): Promise<string[]> => {
        const ids = await insertRows(transaction, snapshot, leads, "1", rows);
        await delay(any(60));
        if (!isKept) throw new Error("rolled back");
        return ids;
      };
      const ids = await db.transaction(write).catch(() => [] as string[]);
      for (const id of ids) note(id, 1);
      await delay(any(20));
    }
  };

  const seen: string[][] = tokens.map(() => []);
  /** What was handed out, with how much had been told by then. */
  const handedOut: { cursor: string; told: number }[][] = [];
  for (const token of tokens) handedOut.push([{ cursor: await cursorOf(token), told: 0 }]);
  const read = async (reader: number, cursor: string, limit: number): Promise<Page | undefined> => {
    const address = `/core/changes/index.json?after=${cursor}&limit=${limit}&controller=crm/leads`;
    const { status, body } = await ask(address, { token: tokens[reader] ?? "" });
    const page = body as unknown as Page;
    // A service or a database that is away right now says so; a cursor is good for ever.
    if (status !== 200) expect([undefined, 503], JSON.stringify(body)).toContain(status);
    return status === 200 ? page : undefined;
  };
  const namesOf = ({ data }: Page): string[] => data.changes.map(({ id, revision }) => `${id} ${revision}`);
  const follow = async (reader: number): Promise<void> => {
    for (let isLast = false; ; ) {
      const last = handedOut[reader]?.at(-1);
      const page = await read(reader, last?.cursor ?? "", 1 + any(20));
      if (!page) {
        await delay(20);
        continue;
      }
      seen[reader]?.push(...namesOf(page));
      handedOut[reader]?.push({ cursor: page.cursor, told: seen[reader]?.length ?? 0 });
      if (isLast && page.more === 0) return;
      isLast = isOver;
      await delay(any(30));
    }
  };

  const writers = [overTheWire(), overTheWire(), inTransactions(), inTransactions(), inTransactions()];
  const readers = tokens.map((_, reader) => follow(reader));
  const someMore = async () => {
    const before = written;
    await expect.poll(() => written, { interval: 20 }).toBeGreaterThan(before + 20);
  };
  /** While somebody gives out positions and cannot end it; `kill` is told the backend that is at it. */
  const killWithin = async (kill: (backend: number) => unknown): Promise<void> => {
    await someMore();
    let isKilled = false;
    const held = db.transaction(async (transaction) => {
      await transaction.run(sql`select from core__event_heads where organization_id = 1 for update`);
      let backend = 0;
      const waiting = async () => {
        // Outside the transaction, which would see the activity of one moment alone.
        const row = await db.row(sql`
          select pid::text as pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like '%core__event_heads%' limit 1`);
        backend = Number(row?.pid ?? 0);
        return backend;
      };
      await expect.poll(waiting, { interval: 20 }).toBeGreaterThan(1);
      await kill(backend);
      isKilled = true;
    });
    // A backend that is killed takes all the others with it.
    const ended = await held.catch((error: unknown) => error);
    expect(isKilled, String(ended)).toBe(true);
  };
  for (let round = 0; round < runs(1); round += 1) {
    await killWithin(async () => {
      const exit = once(running.child, "exit");
      running.child.kill("SIGKILL");
      await exit;
    });
    running = await startProcess(engine.connection, { ...environment, PORT: running.url.port });
    await killWithin((backend) => process.kill(backend, "SIGKILL"));
  }
  await someMore();
  isOver = true;
  await Promise.all(writers);
  await Promise.all(readers);

  // What is there is what was committed.
  const rows = await db.rows(sql`
    select id::text as id, revision::text as revision, owned_by::text as owner from crm__leads where organization_id = 1`);
  const stored = new Map(rows.map(({ id, revision, owner }) => [id ?? "", { revision: Number(revision), owner }]));
  for (const [id, revision] of acknowledged) expect(stored.get(id)?.revision).toBeGreaterThanOrEqual(revision);
  const isMine = [
    () => true,
    (owner: string | null | undefined) => owner === rep,
    (owner: string | null | undefined) => owner === other,
  ];
  for (const [reader, names] of seen.entries()) {
    const expected = [...stored].flatMap(([id, { revision, owner }]) => {
      const first = few.includes(id) ? 2 : 1;
      const numbers = Array.from({ length: revision - first + 1 }, (_, index) => `${id} ${first + index}`);
      return isMine[reader]?.(owner) ? [numbers] : [];
    });
    const told = new Map<string, string[]>();
    for (const name of names) {
      const [id = ""] = name.split(" ");
      told.set(id, [...(told.get(id) ?? []), name]);
    }
    const inOrder = (lists: readonly (readonly string[])[]) =>
      lists
        .filter(({ length }) => length > 0)
        .map(String)
        .sort();
    expect(inOrder([...told.values()])).toEqual(inOrder(expected));
    // From wherever somebody starts again, the rest is the same.
    const places = handedOut[reader] ?? [];
    for (let tried = 0; tried < 5; tried += 1) {
      const place = places[any(places.length)];
      const rest: string[] = [];
      for (let [cursor, more] = [place?.cursor ?? "", 1]; more === 1; ) {
        const page = await read(reader, cursor, 200);
        if (!page) throw new Error("no answer");
        rest.push(...namesOf(page));
        ({ cursor, more } = page);
      }
      expect(rest).toEqual(names.slice(place?.told));
    }
  }
});
