// Jumps into lists on a real database: whatever was written in between, the rows are those that counting from the start gives.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { createAclDirectory } from "../../access/acl-directory.ts";
import type { Caller } from "../../access/caller.ts";
import { readPerson } from "../../access/read-caller.ts";
import { foldChanges, recordChanges } from "../../database/changes.ts";
import { sql } from "../../database/sql.ts";
import { createUser } from "../../identity/create-user.ts";
import { buildSnapshot, requireType } from "../../metadata/snapshot.ts";
import { builtInTypes } from "../../modules/index.ts";
import { generatedView } from "../../plan/list-view.ts";
import { planList } from "../../plan/plan-list.ts";
import { type ReadablePlan, withSets } from "../../plan/readable-plan.ts";
import { compilePage, fixedColumns } from "../../query/compile-list.ts";
import { markDeleted } from "../../query/update-row.ts";
import { parseListParameters } from "../../request/list-parameters.ts";
import { insertRows } from "../save/insert-rows.ts";
import { createDayCounts } from "./day-counts.ts";

let database: TestDatabase;
const callers: Caller[] = [];
const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");

beforeAll(async () => {
  database = await testDatabase("prepared");
  const { db } = database;
  const role = await db.row(sql`select id::text as id from access_controls__roles where code = 'sales_rep' limit 1`);
  const first = await db.row(sql`select id::text as id from access_controls__users order by id limit 1`);
  const roleIds = [role?.id ?? ""];
  const about = { firstName: null, roleIds, passwordHash: "x" };
  const rep = await db.transaction((transaction) =>
    createUser(transaction, snapshot, "1", { ...about, userName: "rep", lastName: "rep" }),
  );
  for (const id of [first?.id ?? "", rep]) {
    const person = await readPerson(db, "1", id);
    if (person) callers.push({ ...person, credential: { kind: "session", sessionId: "" } });
  }
});
afterAll(() => database.close());

const created = (minute: number): string =>
  new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString().slice(0, 19).replace("T", " ");

/** Ten days; the first of them is long. */
const minute = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 14_400 }));
const change = fc.oneof(
  fc.record({ add: fc.array(minute, { minLength: 1, maxLength: 3 }), whose: fc.nat(1) }),
  fc.record({ remove: fc.nat(60) }),
  fc.constantFrom("fold", "elsewhere"),
);

test("rows that are jumped to are those that counting gives", async () => {
  const { db } = database;
  const directory = createAclDirectory(db);
  const days = createDayCounts(db, { rows: 8, step: 3 });
  const add = (minutes: readonly number[], whose: number) =>
    db.transaction((transaction) =>
      insertRows(
        transaction,
        snapshot,
        leads,
        "1",
        minutes.map((at) => ({
          last_name: "Lead",
          name: "Lead",
          created: created(at),
          owned_by: callers[whose]?.userId ?? null,
        })),
      ),
    );
  await add(
    Array.from({ length: 40 }, (_, index) => (index % 3) * 10 + (index % 7) * 1_440),
    0,
  );
  await add([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1_500, 3_000, 9_000], 1);

  const naive = async (plan: ReadablePlan, caller: Caller): Promise<string[]> => {
    const direction = plan.order[0]?.descending ? sql`desc` : sql`asc`;
    const rows = await db.rows(sql`
      select l.id::text as id from crm__leads l where deleted = 0
        and (${caller.isAdministrator ? "1" : "0"} = '1' or owned_by = ${caller.userId}::bigint)
      order by l.created ${direction}, l.id ${direction}`);
    return rows.map((row) => row.id ?? "");
  };
  const apply = async (one: typeof change extends fc.Arbitrary<infer One> ? One : never): Promise<void> => {
    if (one === "fold") await foldChanges(db);
    else if (one === "elsewhere") await recordChanges(db, "1", leads.key, [{ aclId: "0", delta: 0 }]);
    else if ("add" in one) await add(one.add, one.whose);
    else {
      const all = await db.rows(sql`select id::text as id from crm__leads where deleted = 0 order by id`);
      const id = all[one.remove % all.length]?.id ?? "0";
      const [caller] = callers;
      if (!caller) return;
      await db.transaction(async (transaction) => {
        const { rows } = await transaction.run(markDeleted(leads, caller, [id], "1"));
        await recordChanges(
          transaction,
          "1",
          leads.key,
          rows.map(([, aclId, , at]) => ({ aclId: aclId ?? "0", delta: -1, created: at })),
        );
      });
    }
  };
  const asked = fc.record({
    changes: fc.array(change, { maxLength: 4 }),
    who: fc.nat(1),
    sort: fc.constantFrom("ASC", "DESC"),
    at: fc.nat(100),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ changes, who, sort, at }) => {
      for (const one of changes) await apply(one);
      const caller = callers[who];
      if (!caller) throw new Error("nobody");
      const scope = { snapshot, type: leads, caller, now: new Date() };
      const listed = planList(scope, generatedView(leads), parseListParameters({ sort: "leads.created", dir: sort }));
      directory.forget("1", String(Number.MAX_SAFE_INTEGER));
      const plan = withSets(listed, await directory.view(caller, leads));
      const all = await naive(plan, caller);
      const offset = at % all.length;
      let place: Awaited<ReturnType<typeof days.locate>>;
      const locate = async () => {
        place = await days.locate(plan, offset, async () => (await naive(plan, caller)).length);
        return place;
      };
      await expect.poll(locate).toBeDefined();
      const rows = await db.bytes(compilePage(plan, "walk", { offset: 0, limit: 4, ...place }, []));
      const ids = rows.toArrays().map((row) => row[fixedColumns.id]);
      expect(ids).toEqual(all.slice(offset, offset + 4));
    }),
    { numRuns: 80 },
  );
});
