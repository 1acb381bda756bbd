import { expect, test } from "vitest";
import { createOwnWrites } from "./own-writes.ts";

test("what this page wrote is its own for a while: that record, and no other one that changed with it", async () => {
  let time = 0;
  const own = createOwnWrites(() => time);
  own.begin("crm/leads/edit", { body: { data: { leads: { id: "1" } } } }, Promise.resolve({ data: {} }));
  own.begin("crm/leads/add", {}, Promise.resolve({ data: { leads: { id: "2" } } }));
  own.begin("crm/leads/delete", { query: { id: "3" } }, Promise.resolve({}));
  own.begin("crm/leads/edit", { query: { id: "4" } }, Promise.reject(new Error("refused")));
  await own.settled();
  expect(["1", "2", "3", "4", "5"].filter((id) => own.isOwn("crm/leads", id))).toEqual(["1", "2", "3"]);
  expect(own.isOwn("crm/companies", "1")).toBe(false);
  expect(own.isOwn(null, null)).toBe(false);
  time = 6_000;
  expect(own.isOwn("crm/leads", "1")).toBe(false);
});

test("nothing is asked for again while something is on its way", async () => {
  const own = createOwnWrites();
  let save = () => {};
  own.during(
    new Promise<void>((resolve) => {
      save = resolve;
    }),
  );
  const seen: string[] = [];
  const waiting = own.settled().then(() => seen.push("settled"));
  await Promise.resolve();
  seen.push("saved");
  save();
  await waiting;
  expect(seen).toEqual(["saved", "settled"]);
});
