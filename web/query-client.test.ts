import { expect, test } from "vitest";
import { WireFailure } from "../client/transport/wire-failure.ts";
import { isTypeGone } from "./query-client.ts";

test.each([
  ["unknown_controller", true],
  ["unknown_module", true],
  ["record_not_found", false],
] as const)("%s: the type is gone: %s", (code, isGone) => {
  expect(isTypeGone(new WireFailure(404, { error_code: code }, new Headers()))).toBe(isGone);
});
