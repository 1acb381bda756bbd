// Which records a roll-up is worked out for at once: as many as stay within the bounds, of each and of all together.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { snapshot } from "../../../test/http/people.ts";
import { sql } from "../../database/sql.ts";
import { dueWork } from "../../metadata/computed/work.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { rolledUpInto } from "./computed-values.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase("prepared");
});
afterAll(() => database.close());

/** Companies with so many people each. */
async function companies(counts: readonly number[]): Promise<string[]> {
  const ids: string[] = [];
  for (const count of counts) {
    const row = await database.db.row(sql`
      insert into crm__companies (organization_id, name, acl_id) values (1, 'one', 1) returning id::text as id`);
    const id = row?.id ?? "";
    ids.push(id);
    await database.db.run(sql`
      insert into crm__peoples (organization_id, last_name, company_id, acl_id)
      select 1, 'somebody', ${id}::bigint, 1 from generate_series(1, ${count})`);
  }
  return ids;
}

test.each([
  ["each within its bound", [3, 3, 3], { most: 3, mostInAll: 9 }, [0, 0, 0]],
  ["one past its own bound", [3, 5, 3], { most: 4, mostInAll: 20 }, [0, 1, 0]],
  ["all past the bound of all", [3, 3, 3, 3], { most: 3, mostInAll: 7 }, [0, 0, 1, 1]],
  ["without any", [0, 0, 2], { most: 3, mostInAll: 4 }, [0, 0, 0]],
  ["the first one past all", [9, 1], { most: 9, mostInAll: 5 }, [1, 1]],
] as const)("rolls up at once: %s", async (_, counts, bounds, left) => {
  const ids = await companies(counts);
  const rollUp = {
    kind: "roll-up",
    type: "crm/peoples",
    via: "company_id",
    function: "count",
    field: undefined,
    where: undefined,
    from: new Set<string>(),
    shape: {},
    layer: 0,
    own: new Set<string>(),
    reads: [],
    crosses: [],
  } as const;
  const parent = requireType(snapshot, "crm/companies");
  const rows = { organizationId: "1", ids: [] };
  const found = await database.db.run(rolledUpInto(snapshot, rollUp, parent, rows, ids, bounds));
  expect(found.rows).toEqual(ids.map((id, index) => [id, String(left[index])]));
});

test("what somebody waits for comes before what fills whole types, however long those wait", async () => {
  await database.db.run(sql`
    insert into core__computed_work (organization_id, record_type, fields, source, due)
    select 1, 'crm/companies', '{a}', '{}', timestamp '2026-01-01' + n * interval '1 minute' from generate_series(1, 30) n`);
  const row = await database.db.row(sql`
    insert into core__computed_work (organization_id, record_type, fields, source, due)
    values (1, 'crm/companies', '{b}', '{"ids": ["1"]}', timestamp '2026-02-01') returning id::text as id`);
  expect((await dueWork(database.db, 20))[0]).toEqual({ organizationId: "1", id: row?.id });
});
