// Gives a caller other rights than its roles do, always by name and with a reason from this list. No other code creates a
// caller or changes its rights.
import { matrixOperations } from "../../contract/permissions.ts";
import { actorOf, type Caller, type ElevationReason } from "./caller.ts";

/** The same person with an administrator's rights in its organization. Confidential records stay closed to it. */
export const elevate = (caller: Caller, reason: ElevationReason): Caller => ({
  ...caller,
  isAdministrator: true,
  elevated: reason,
  actor: actorOf(caller),
});

/** The service itself, where no person asks; `userId` is whose name stands beside what it writes. */
export const serviceCaller = (organizationId: string, userId: string, reason: ElevationReason): Caller =>
  elevate(
    {
      userId,
      userName: "",
      fullName: "",
      organizationId,
      organizationName: "",
      isOperator: false,
      isAdministrator: false,
      principals: [],
      roles: [],
      locale: "en-US",
      language: "en",
      timeZone: "UTC",
      credential: { kind: "job", jobId: "0" },
    },
    reason,
  );

/** Somebody with that role alone, as far as a form can tell roles apart: to show what they would see. */
export const asRole = (caller: Caller, code: string): Caller => ({
  ...caller,
  isAdministrator: false,
  roles: [
    {
      id: "0",
      code,
      isAdministrator: false,
      operations: new Map([["*", new Set(matrixOperations)]]),
      fields: new Map(),
    },
  ],
});
