import { expect, test } from "vitest";
import { mergeIdentity } from "./identity.ts";

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
