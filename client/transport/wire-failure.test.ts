import { expect, test } from "vitest";
import { readRetryAfter, WireFailure } from "./wire-failure.ts";

test("reads Retry-After in seconds and as a date, and ignores what is neither", () => {
  expect(readRetryAfter("12")).toBe(12);
  expect(readRetryAfter("0.2")).toBe(1);
  expect(readRetryAfter("Thu, 01 Jan 2026 00:00:30 GMT", Date.parse("2026-01-01T00:00:00Z"))).toBe(30);
  expect(readRetryAfter("Thu, 01 Jan 2026 00:00:30 GMT", Date.parse("2027-01-01T00:00:00Z"))).toBe(0);
  expect(readRetryAfter("soon")).toBeUndefined();
  expect(readRetryAfter(null)).toBeUndefined();
});

test("carries the sentences, the fields and the request id of a refusal", () => {
  const failure = new WireFailure(
    422,
    {
      errors: ["Some fields need your attention"],
      errors_by_field: { "users.old_password": ["Not right"] },
      request_id: "r1",
    },
    new Headers(),
  );
  expect(failure.message).toBe("Some fields need your attention");
  expect(failure.byField["users.old_password"]).toEqual(["Not right"]);
  expect(failure.requestId).toBe("r1");
});

test("says the status where an answer has no sentence", () => {
  expect(new WireFailure(502, {}, new Headers({ "x-request-id": "r2" }))).toMatchObject({
    message: "The service answered 502",
    requestId: "r2",
  });
});
