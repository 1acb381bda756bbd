import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { buildSnapshot, requireType } from "../../../metadata/snapshot.ts";
import { builtInTypes } from "../../../modules/index.ts";
import type { OperationContext } from "../../../operations/operation.ts";
import { testCaller } from "../../../plan/column-fixture.ts";
import { createPresence } from "../../../records/feed/presence.ts";
import { readPresent } from "../../../records/feed/read-presence.ts";
import { attend } from "./attend-record.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const place = { organizationId: "3", recordType: "crm/leads", id: "42" };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("whoever could not be told who is there is not there either", async () => {
  const presence = createPresence(() => undefined);
  presence.enter({ organizationId: "3", userId: "9", tab: "" }, place, "view");
  const caller = testCaller({ isAdministrator: true });
  const database = {
    row: async () => ({ found: "1" }),
    rows: async () => {
      throw new Error("gone");
    },
  };
  const context = {
    snapshot,
    call: { parameters: { record: "crm/leads/42" }, headOnly: false },
    services: { database, feed: { presence } },
  } as unknown as OperationContext;
  await expect(attend(context, caller)).rejects.toThrow("gone");
  vi.advanceTimersByTime(60_000);
  expect([...presence.at(place).doing.keys()]).toEqual(["9"]);
  presence.close();
});

test("a login name is told only to those who may see it", async () => {
  const rows = async () => [{ id: "9", name: null, user_name: "secret.login" }];
  const record = { type: requireType(snapshot, "crm/leads"), id: "42" };
  const told = (hidden: readonly string[]) =>
    readPresent(
      { rows } as never,
      snapshot,
      testCaller({ isAdministrator: true, hiddenByForms: new Map([["access_controls/users", new Set(hidden)]]) }),
      record,
      { doing: new Map([["9", "view"]]), mark: "" },
    );
  expect(await told([])).toEqual([{ id: "9", name: "secret.login", doing: "view" }]);
  expect(await told(["user_name"])).toEqual([]);
});
