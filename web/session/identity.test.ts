import { expect, test } from "vitest";
import { mergeIdentity, ownUserIn } from "./identity.ts";

const envelope = { errors: [], message: [] };
const user = { id: "1", user_name: "ada" };

test("learns who is logged in from an answer", () => {
  expect(mergeIdentity(undefined, { ...envelope, user_id: "1", user_fullname: "Ada" }, user)).toEqual({
    userId: "1",
    fullName: "Ada",
    organization: "",
    user,
  });
});

test("keeps what an answer is silent about, and the object itself when nothing is new", () => {
  const known = { userId: "1", fullName: "Ada", organization: "Acme", user };
  expect(mergeIdentity(known, envelope)).toBe(known);
  expect(mergeIdentity(known, { ...envelope, user_id: "1", organization_name: "Acme" })).toBe(known);
  expect(mergeIdentity(known, { ...envelope, user_id: "1", organization_name: "Other" })).toMatchObject({
    organization: "Other",
    fullName: "Ada",
  });
});

test("forgets the user record of somebody else", () => {
  const known = { userId: "1", fullName: "Ada", organization: "Acme", user };
  expect(mergeIdentity(known, { ...envelope, user_id: "2", user_fullname: "Bo" })).toEqual({
    userId: "2",
    fullName: "Bo",
    organization: "",
  });
});

test("takes one's own preferences from any answer that holds one's own user, and nobody else's", () => {
  const known = { userId: "1", fullName: "Ada", organization: "Acme", user: { ...user, time_zone: "UTC" } };
  const answer = (users: object) => ({ ...envelope, data: { users } });
  expect(ownUserIn(known, answer({ id: "1", time_zone: "Asia/Tokyo", hour_format: "12" }))).toEqual({
    ...user,
    time_zone: "Asia/Tokyo",
    hour_format: "12",
  });
  expect(ownUserIn(known, answer({ id: "1", time_zone: "UTC" }))).toBeUndefined();
  expect(ownUserIn(known, answer({ id: "2", time_zone: "Asia/Tokyo" }))).toBeUndefined();
  expect(ownUserIn(known, envelope)).toBeUndefined();
});
