import { expect, test } from "vitest";
import { inTabOrder, tabsThatFit } from "./tab-order.ts";

const views = ["all", "mine", "hot", "lost"].map((id) => ({ id, name: id }));
const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);

test("favorites come first, then what is used most, then the service's own order", () => {
  expect(ids(inTabOrder(views, [], {}))).toEqual(["all", "mine", "hot", "lost"]);
  expect(ids(inTabOrder(views, ["lost"], { hot: 4, mine: 2 }))).toEqual(["lost", "hot", "mine", "all"]);
});

test("as many tabs as there is room for, and always the one that is shown", () => {
  expect(ids(tabsThatFit(views, "all", 10_000))).toEqual(["all", "mine", "hot", "lost"]);
  expect(ids(tabsThatFit(views, "all", 160))).toEqual(["all", "mine"]);
  expect(ids(tabsThatFit(views, "lost", 160))).toEqual(["all", "lost"]);
  expect(ids(tabsThatFit(views, "lost", 0))).toEqual(["lost"]);
  expect(ids(tabsThatFit(views, "gone", 160))).toEqual(["all", "mine"]);
  const many = Array.from({ length: 20 }, (_, index) => ({ id: String(index), name: "x" }));
  expect(tabsThatFit(many, "19", 10_000)).toHaveLength(7);
  // Chinese takes twice the room.
  const wide = ["所有线索", "我的线索", "热门线索"].map((name) => ({ id: name, name }));
  expect(tabsThatFit(wide, undefined, 250)).toHaveLength(2);
});
