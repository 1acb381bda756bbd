// Ids that are taken along with another statement.
import { expect, test } from "vitest";
import { compile, type Sql, sql } from "../../database/sql.ts";
import type { WritePlan } from "../../plan/plan-write.ts";
import { readReserving } from "./reserve-ids.ts";

const plan = (table: string, children: readonly object[] = []): WritePlan =>
  ({ grant: { type: { table, idKind: "integer" } }, id: undefined, children }) as unknown as WritePlan;
const leads = plan("leads", [{ rows: [plan("addresses")] }]);
const pointers = sql`select f.form, w.workflow from forms f, workflows w`;

/** What was sent, and what came of it. */
async function reserve(isDistributed: boolean) {
  const sent: string[] = [];
  const answer =
    (...cells: (string | null)[]) =>
    async (statement: Sql) => {
      sent.push(compile(statement).text);
      return [cells];
    };
  const read = isDistributed ? answer("1", "2") : answer("1", "2", "7", "8");
  const db = { isDistributed: async () => isDistributed, prepared: answer(null, "7", "8") };
  const { row, reserved } = await readReserving(db, leads, [pointers, 2], read);
  const { type } = leads.grant;
  return { sent, row, ids: [reserved.take(type), reserved.take(type)] };
}

test("are read with it", async () => {
  const { sent, row, ids } = await reserve(false);
  expect([row, ids]).toEqual([
    ["1", "2"],
    ["7", undefined],
  ]);
  expect(sent).toEqual([expect.stringMatching(/^select f\.form.*nextval.*leads.*nextval.*addresses/su)]);
});

test("are read by the coordinator on a distributed database: workers number otherwise", async () => {
  const { sent, row, ids } = await reserve(true);
  expect([row, ids]).toEqual([
    ["1", "2"],
    ["7", undefined],
  ]);
  expect(sent.filter((text) => text.includes("nextval"))).toEqual([expect.not.stringContaining("from")]);
  expect(sent).toHaveLength(2);
});
