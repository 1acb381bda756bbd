// The history of one's own actions, and what Ctrl+Z takes of it.
import { expect, test } from "vitest";
import { type Action, became, readActions, titleOf, undoneNext, withAction } from "./actions.ts";

const HOUR = 60 * 60_000;
const action = (id: string, more: Partial<Action> = {}): Action => ({
  id,
  message: id,
  at: 10 * HOUR,
  plan: { kind: "delete", key: "crm/leads", id },
  state: "done",
  ...more,
});
const canRun = ({ plan }: Action): boolean => plan !== undefined;

test("the newest comes first, and the oldest are forgotten", () => {
  const many = Array.from({ length: 40 }, (_, n) => String(n)).reduce<readonly Action[]>(
    (all, id) => withAction(all, action(id)),
    [],
  );
  expect(many).toHaveLength(30);
  expect(many[0]?.id).toBe("39");
});

test("Ctrl+Z goes back one by one, over what was undone, refused, or has no way back", () => {
  let actions: readonly Action[] = [
    action("toast", { plan: undefined }),
    action("refused", { state: "refused" }),
    action("second"),
    action("first"),
  ];
  const taken: string[] = [];
  for (let next = undoneNext(actions, 10 * HOUR, canRun); next; next = undoneNext(actions, 10 * HOUR, canRun)) {
    taken.push(next.id);
    actions = became(actions, next.id, "undone");
  }
  expect(taken).toEqual(["second", "first"]);
});

test.each([
  ["Rating updated", "Rajesh Iyer", "Rating updated · Rajesh Iyer"],
  ["Rajesh Iyer deleted", "Rajesh Iyer", "Rajesh Iyer deleted"],
  ["5 leads updated", undefined, "5 leads updated"],
  ["Rating updated", "", "Rating updated"],
])("in the history, %s of %s is %s", (message, name, title) => {
  expect(titleOf(action("a", { message, name }))).toBe(title);
});

test("what was done long ago is not undone by a key", () => {
  expect(undoneNext([action("old", { at: 8 * HOUR })], 10 * HOUR, canRun)).toBeUndefined();
});

test("a refusal keeps its reason, and a reload forgets only what was under way", () => {
  const actions = became(became([action("a"), action("b")], "a", "refused", "Somebody changed it"), "b", "undoing");
  expect(readActions(JSON.stringify(actions))).toMatchObject([
    { id: "a", state: "refused", reason: "Somebody changed it" },
    { id: "b", state: "done" },
  ]);
  expect(readActions("{")).toEqual([]);
  expect(readActions("7")).toEqual([]);
});
