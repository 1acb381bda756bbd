import { expect, test } from "vitest";
import { type Group, groupsAround, peopleWithin } from "./groups.ts";

const group = (id: string, users: readonly string[], within: readonly string[] = []): Group => ({
  id,
  name: id,
  description: "",
  members: [
    ...users.map((memberId) => ({ id: `${id}${memberId}`, kind: "user" as const, memberId, name: memberId })),
    ...within.map((memberId) => ({ id: `${id}${memberId}`, kind: "group" as const, memberId, name: memberId })),
  ],
});

// All holds North, which holds Oslo.
const groups = [group("all", ["a"], ["north"]), group("north", ["b"], ["oslo"]), group("oslo", ["b", "c"])];

test("a group's people are its own and those of the groups within, once each", () => {
  expect([...peopleWithin(groups, "all")].sort()).toEqual(["a", "b", "c"]);
  expect([...peopleWithin([group("x", ["a"], ["x"])], "x")]).toEqual(["a"]);
});

test("a group may not take in itself, nor one that it is in, by way of others too", () => {
  expect([...groupsAround(groups, "oslo")].sort()).toEqual(["all", "north", "oslo"]);
  expect([...groupsAround(groups, "all")]).toEqual(["all"]);
});
