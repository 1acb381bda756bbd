// Undoing one's own actions: one after the other, with what became of each, and after a reload.
import { expect, test } from "vitest";
import { Unreachable, WireFailure } from "../../../client/transport/wire-failure.ts";
import { createActionLog } from "./action-log.ts";
import type { UndoPlan } from "./undo-plan.ts";

const deleted = (id: string): UndoPlan => ({ kind: "delete", key: "crm/leads", id });

/** Opened again with the same storage, it is the page after a reload. */
function setUp(run: (plan: UndoPlan) => Promise<string | undefined>) {
  let text: string | null = null;
  const open = () =>
    createActionLog({
      read: () => text,
      write: (next) => {
        text = next;
      },
      run,
    });
  return { log: open(), open };
}

const refuse = () => Promise.reject(new WireFailure(409, { errors: ["Another step was taken since"] }, new Headers()));

test.each([
  ["a refusal", refuse, { state: "refused", reason: "Another step was taken since" }, false],
  ["a lost connection", () => Promise.reject(new Unreachable("away")), { state: "done" }, true],
  ["a service that is down", () => Promise.reject(new WireFailure(503, {}, new Headers())), { state: "done" }, true],
])("after %s, by a plan and by a page", async (_, fail, expected, isNext) => {
  const { log } = setUp(fail);
  for (const undo of [deleted("1"), fail]) {
    const id = log.note({ message: "Lead deleted", undo });
    expect((await log.undo(id))?.kind).toBe(isNext ? "away" : "refused");
    expect(log.read()[0]).toMatchObject(expected);
    expect(log.next()?.id === id).toBe(isNext);
  }
});

test("what was away can be undone later, and says what became of it", async () => {
  const answers = [Promise.reject(new Unreachable("away")), Promise.resolve("5 leads reverted")];
  answers[0]?.catch(() => undefined);
  const { log } = setUp(() => answers.shift() ?? refuse());
  const id = log.note({ message: "5 leads updated", undo: deleted("1") });
  expect(await log.undo(id)).toEqual({ kind: "away" });
  expect(await log.undo(id)).toMatchObject({ kind: "undone", said: "5 leads reverted" });
  expect(log.read()[0]?.state).toBe("undone");
  expect(await log.undo(id)).toBeUndefined();
});

test("a second undo waits for the first, and not for a job", async () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const { log } = setUp(
    (plan) =>
      new Promise((resolve) => {
        const name = plan.kind === "job" ? plan.jobId : plan.kind === "delete" ? plan.id : "";
        begun.push(name);
        ends.set(name, () => resolve(undefined));
      }),
  );
  const job = log.undo(log.note({ message: "Job", undo: { kind: "job", key: "crm/leads", jobId: "job" } }));
  const older = log.note({ message: "First", undo: deleted("older") });
  const newer = log.undo(log.note({ message: "Second", undo: deleted("newer") }));
  const second = log.undo(older);
  await Promise.resolve();
  expect(begun).toEqual(["job", "newer"]);
  expect(log.read().map(({ state }) => state)).toEqual(["undoing", "undoing", "undoing"]);
  ends.get("newer")?.();
  await newer;
  expect(begun).toEqual(["job", "newer", "older"]);
  ends.get("older")?.();
  await second;
  expect(log.read().map(({ state }) => state)).toEqual(["undone", "undone", "undoing"]);
  ends.get("job")?.();
  await job;
  expect(log.read().at(-1)?.state).toBe("undone");
});

test("after a reload a plan is known with its record, and a page's own way is not", async () => {
  const ran: UndoPlan[] = [];
  const { log, open } = setUp(async (plan) => void ran.push(plan));
  log.note({ message: "Rating updated", name: "Rajesh Iyer", undo: deleted("7") });
  log.note({ message: "View deleted", undo: () => Promise.resolve() });
  const later = open();
  expect(later.next()).toMatchObject({ message: "Rating updated", name: "Rajesh Iyer" });
  await later.undo(later.next()?.id ?? "");
  expect(ran).toEqual([deleted("7")]);
  expect(later.next()).toBeUndefined();
});

test("it shows at once, and goes on when it is done", async () => {
  const order: string[] = [];
  const { log } = setUp(async () => void order.push("run"));
  const more = { preview: () => void order.push("preview"), after: () => void order.push("after") };
  await log.undo(log.note({ message: "Lead deleted", undo: deleted("1"), ...more }));
  expect(order).toEqual(["preview", "run", "after"]);
});
