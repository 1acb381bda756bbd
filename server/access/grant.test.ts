import { describe, expect, test } from "vitest";
import { Failure } from "../../contract/failures.ts";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { testCaller } from "../plan/column-fixture.ts";
import { admit, type Grant, grantBulk, grantWithin, grantWrite, type WriteOperation } from "./grant.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");

const role = (...operations: string[]) => ({
  id: "1",
  code: "some",
  isAdministrator: false,
  operations: new Map([["crm/leads", new Set(operations)]]) as never,
  fields: new Map(),
});
const callerWith = (...operations: string[]) => testCaller({ isAdministrator: false, roles: [role(...operations)] });
const codeOf = (run: () => unknown): string => {
  try {
    run();
    return "granted";
  } catch (error) {
    return error instanceof Failure ? error.code : String(error);
  }
};

const columns: readonly (readonly [WriteOperation, string])[] = [
  ["add", "add"],
  ["edit", "edit"],
  ["delete", "delete"],
  ["restore", "delete"],
  ["purge", "delete"],
];

describe("a grant", () => {
  test.each(columns)("to %s needs the column %s of the matrix, and no other", (operation, column) => {
    const others = ["index", "view", "add", "edit", "delete", "bulk", "export", "import"].filter(
      (one) => one !== column,
    );
    expect(codeOf(() => grantWrite(callerWith(column), leads, operation, {}))).toBe("granted");
    expect(codeOf(() => grantWrite(callerWith(...others), leads, operation, {}))).toBe("operation_forbidden");
  });

  test("of many records needs the right to bulk changes and the right to the change", () => {
    expect(codeOf(() => grantBulk(callerWith("bulk", "edit"), leads, "edit", {}))).toBe("granted");
    expect(codeOf(() => grantBulk(callerWith("bulk"), leads, "edit", {}))).toBe("operation_forbidden");
    expect(codeOf(() => grantBulk(callerWith("edit"), leads, "edit", {}))).toBe("operation_forbidden");
  });

  test("says who, what and which fields", () => {
    const caller = callerWith("edit");
    const grant = grantWrite(caller, leads, "edit", {});
    expect(grant).toMatchObject({ caller, type: leads, operation: "edit" });
    expect(grant.fields.editable.has("last_name")).toBe(true);
    expect(grant.fields.editable.has("created")).toBe(false);
  });

  test("is refused by what the type asks of its writers, also within something that was granted", () => {
    const within = (caller = callerWith(), rule = {}, operation: WriteOperation = "edit") =>
      codeOf(() => grantWithin(caller, leads, operation, { "crm/leads": rule }));
    const program = { credential: { kind: "api-key", keyId: "1", scope: "write" } } as const;
    expect(within()).toBe("granted");
    expect(within(callerWith(), { administratorsOnly: true })).toBe("operation_forbidden");
    expect(within(testCaller({ isAdministrator: true }), { administratorsOnly: true })).toBe("granted");
    expect(within(testCaller(program), { peopleOnly: "For people" })).toBe("conflict");
    expect(within(callerWith(), { peopleOnly: "For people" })).toBe("granted");
    expect(within(callerWith(), { refuses: { purge: "Never" } }, "purge")).toBe("conflict");
    expect(within(callerWith(), { refuses: { purge: "Never" } }, "delete")).toBe("granted");
  });

  test("of records that are never changed is for additions alone", () => {
    const log = [...snapshot.types.values()].find((type) => type.appendOnly && type.scope === "organization");
    if (!log) throw new Error("no type is append-only");
    const granted = (operation: WriteOperation) => codeOf(() => grantWithin(callerWith(), log, operation, {}));
    expect([granted("edit"), granted("delete"), granted("restore")]).toEqual(["conflict", "conflict", "conflict"]);
  });

  test("is made for operations that write, and for no other", () => {
    expect(admit(callerWith("index"), leads, { matrix: "index" }, {})).toBeUndefined();
    expect(admit(callerWith("edit"), leads, { writes: "edit" }, {})?.operation).toBe("edit");
    expect(codeOf(() => admit(callerWith("edit"), leads, { matrix: "bulk", writes: "edit" }, {}))).toBe(
      "operation_forbidden",
    );
  });

  test("cannot be put together by hand", () => {
    const { caller, type, operation, fields, rules } = grantWrite(callerWith("edit"), leads, "edit", {});
    // @ts-expect-error only grant.ts makes a grant
    const made: Grant = { caller, type, operation, fields, rules };
    expect(made.type).toBe(leads);
  });
});
