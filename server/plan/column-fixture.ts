// Callers for the tests of planning and compiling: what an access decision depends on, without a database.
import type { MatrixOperation, Permission } from "../../contract/permissions.ts";
import type { Caller } from "../access/caller.ts";

export function testCaller(
  given: Partial<Caller> & {
    /** By record type or `*`; undefined: an administrator. */
    readonly operations?: Readonly<Record<string, readonly MatrixOperation[]>>;
    readonly fields?: Readonly<Record<string, Readonly<Record<string, Permission>>>>;
  } = {},
): Caller {
  const { operations, fields = {}, ...rest } = given;
  return {
    userId: "7",
    userName: "ada",
    fullName: "Ada Lovelace",
    organizationId: "3",
    organizationName: "Engines",
    isOperator: false,
    isAdministrator: operations === undefined,
    principals: [1, 101, 102],
    roles: [
      {
        id: "0198c5a0-7a3c-7cc2-8b1e-3f6d2c4e5a60",
        code: "tested",
        isAdministrator: operations === undefined,
        operations: new Map(Object.entries(operations ?? {}).map(([type, allowed]) => [type, new Set(allowed)])),
        fields: new Map(Object.entries(fields).map(([type, own]) => [type, new Map(Object.entries(own))])),
      },
    ],
    locale: "en-US",
    language: "en",
    timeZone: "UTC",
    credential: { kind: "session", sessionId: "s" },
    ...rest,
  };
}
