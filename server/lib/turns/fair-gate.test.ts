// The gate by which organizations share what there is little of: order, shares, refusals and those who leave.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFairGate, type FairGate } from "./fair-gate.ts";

const full = new Error("full");
const gateOf = (slots: number, perName: number, mostWaiting = 1_000): FairGate =>
  createFairGate({ slots, perName, mostWaiting, refuse: () => full });

/** Work that ends when it is told to. */
function task(gate: FairGate, name: string, started: string[], signal?: AbortSignal) {
  let finish = () => {};
  const end = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const label = `${name}${started.length}`;
  const work = async () => {
    started.push(name);
    await end;
    return label;
  };
  return { finish, done: gate.run(name, work, { signal }) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("one name", () => {
  test("never takes the places that are kept for others", async () => {
    const gate = gateOf(6, 3);
    const started: string[] = [];
    const tasks = Array.from({ length: 10 }, () => task(gate, "a", started));
    await settle();
    expect(started).toEqual(["a", "a", "a"]);
    expect(gate.waiting("a")).toBe(7);
    const other = task(gate, "b", started);
    await settle();
    expect(started).toEqual(["a", "a", "a", "b"]);
    for (const one of [...tasks, other]) one.finish();
    await Promise.all([...tasks, other].map(({ done }) => done));
  });

  test("with a long queue delays another by one turn at the most", async () => {
    const gate = gateOf(1, 1);
    const started: string[] = [];
    const crowd = Array.from({ length: 50 }, () => task(gate, "a", started));
    const late = [task(gate, "b", started), task(gate, "b", started)];
    for (const one of [...crowd, ...late]) one.finish();
    await Promise.all([...crowd, ...late].map(({ done }) => done));
    expect(started.slice(0, 5)).toEqual(["a", "a", "b", "a", "b"]);
  });

  test("that waits past its number is refused, and the others are not", async () => {
    const gate = gateOf(2, 1, 2);
    const started: string[] = [];
    const tasks = Array.from({ length: 3 }, () => task(gate, "a", started));
    await expect(task(gate, "a", started).done).rejects.toBe(full);
    const other = task(gate, "b", started);
    for (const one of [...tasks, other]) one.finish();
    await Promise.all([...tasks, other].map(({ done }) => done));
    expect(started).toEqual(["a", "b", "a", "a"]);
  });

  test("is told whether it has all its places, or others have them", async () => {
    const gate = createFairGate({ slots: 3, perName: 2, mostWaiting: 0, refuse: (isOwn) => new Error(String(isOwn)) });
    const started: string[] = [];
    const tasks = ["a", "a", "b"].map((name) => task(gate, name, started));
    await expect(task(gate, "a", started).done).rejects.toThrow("true");
    await expect(task(gate, "c", started).done).rejects.toThrow("false");
    for (const one of tasks) one.finish();
    await Promise.all(tasks.map(({ done }) => done));
  });
});

test.each([
  { slots: 8, perName: 4, shares: [4, 2, 1, 1] },
  { slots: 6, perName: 3, shares: [3, 2, 1] },
  { slots: 4, perName: 2, shares: [2, 1, 1] },
])("of $slots places, names that take all they can get have $shares", async ({ slots, perName, shares }) => {
  const gate = gateOf(slots, perName);
  const started: string[] = [];
  const names = shares.map((_, at) => `n${at}`);
  const tasks = names.flatMap((name) => Array.from({ length: 10 }, () => task(gate, name, started)));
  await settle();
  expect(names.map((name) => started.filter((one) => one === name).length)).toEqual(shares);
  for (const { finish } of tasks) finish();
  await Promise.all(tasks.map(({ done }) => done));
});

test("whatever two names are at, a third one is let in at once", async () => {
  const steps = fc.array(fc.record({ name: fc.constantFrom("a", "b"), ends: fc.nat(20) }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const gate = gateOf(6, 3);
      const started: string[] = [];
      const tasks: ReturnType<typeof task>[] = [];
      for (const { name, ends } of given) {
        tasks.push(task(gate, name, started));
        tasks[ends]?.finish();
        await settle();
        const third = task(gate, "c", started);
        await settle();
        expect(started.at(-1)).toBe("c");
        third.finish();
        await third.done;
      }
      for (const { finish } of tasks) finish();
      await Promise.all(tasks.map(({ done }) => done));
    }),
    { numRuns: 50 },
  );
});

test("who leaves the queue is forgotten, and so is whoever had left before", async () => {
  const gate = gateOf(1, 1);
  const started: string[] = [];
  const first = task(gate, "a", started);
  const leaving = new AbortController();
  const second = task(gate, "a", started, leaving.signal);
  const third = task(gate, "a", started);
  leaving.abort(new Error("gone"));
  await expect(second.done).rejects.toThrow("gone");
  await expect(task(gate, "a", started, leaving.signal).done).rejects.toThrow("gone");
  first.finish();
  third.finish();
  await Promise.all([first.done, third.done]);
  expect(started).toEqual(["a", "a"]);
  expect(gate.waiting("a")).toBe(0);
});

test("who waits past its deadline is refused, and who waits behind it is let in", async () => {
  const gate = gateOf(1, 1);
  const started: string[] = [];
  const first = task(gate, "a", started);
  const late = gate.run("a", async () => started.push("late"), { deadline: performance.now() });
  const second = task(gate, "a", started);
  await expect(late).rejects.toBe(full);
  first.finish();
  second.finish();
  await Promise.all([first.done, second.done]);
  expect(started).toEqual(["a", "a"]);
});

test("all who wait can be refused at once, and whoever comes later is let in", async () => {
  const gate = gateOf(1, 1);
  const started: string[] = [];
  const first = task(gate, "a", started);
  const waiting = ["a", "b", "a"].map((name) => task(gate, name, started).done);
  gate.refuseAll();
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.map((one) => one.status === "rejected" && one.reason)).toEqual([full, full, full]);
  first.finish();
  await first.done;
  expect(await gate.run("b", async () => 1)).toBe(1);
});

test("work that fails gives its place back", async () => {
  const gate = gateOf(1, 1);
  await expect(gate.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(gate.run("a", async () => 1)).resolves.toBe(1);
});

test("whatever comes in whatever order: all is done, and never too much at once", async () => {
  const names = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 40 });
  const limits = fc.record({ slots: fc.integer({ min: 1, max: 5 }), perName: fc.integer({ min: 1, max: 5 }) });
  await fc.assert(
    fc.asyncProperty(names, limits, async (given, { slots, perName }) => {
      const gate = gateOf(slots, perName);
      const now = new Map<string, number>();
      let most = 0;
      let mostOfOne = 0;
      await Promise.all(
        given.map((name) =>
          gate.run(name, async () => {
            now.set(name, (now.get(name) ?? 0) + 1);
            most = Math.max(
              most,
              [...now.values()].reduce((sum, one) => sum + one, 0),
            );
            mostOfOne = Math.max(mostOfOne, now.get(name) ?? 0);
            await settle();
            now.set(name, (now.get(name) ?? 0) - 1);
          }),
        ),
      );
      expect(most).toBeLessThanOrEqual(slots);
      expect(mostOfOne).toBeLessThanOrEqual(perName);
    }),
    { numRuns: 50 },
  );
});
