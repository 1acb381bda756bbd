import { expect, test } from "vitest";
import type { Identity } from "../../../session/identity.ts";
import { newKeyPlace } from "./new-key-place.ts";

const who = (isAdministrator: "0" | "1") =>
  ({ userId: "3", user: { is_administrator: isAdministrator } }) as unknown as Identity;
const own = { to: "/account", search: { new_key: 1 } };
const ofAll = { part: "api_keys", new_key: 1 };

test.each([
  ["an administrator", who("1"), undefined, { to: "/administration", search: ofAll }],
  ["an administrator, for an account", who("1"), "7", { to: "/administration", search: { ...ofAll, user_id: "7" } }],
  ["an administrator, for themselves", who("1"), "3", own],
  ["anybody else", who("0"), undefined, own],
  ["anybody else, for an account", who("0"), "7", own],
  ["somebody of whom nothing is known yet", undefined, undefined, { to: "/administration", search: ofAll }],
])("a new key is made where %s makes it", (_, identity, owner, place) => {
  expect(newKeyPlace(identity, owner)).toEqual(place);
});
