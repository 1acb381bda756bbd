import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPresence, type Place, type Presence } from "./presence.ts";

const lead: Place = { organizationId: "1", recordType: "crm/leads", id: "42" };
const at = (presence: Presence, place = lead) => Object.fromEntries(presence.at(place).doing);
const screen = (userId: string, tab = "") => ({ organizationId: "1", userId, tab });

let messages: string[];
/** Several processes: what one tells, all hear, itself too. */
function processes(count: number): Presence[] {
  const all: Presence[] = Array.from({ length: count }, () =>
    createPresence((message) => {
      messages.push(message);
      for (const one of all) one.hear(message);
    }),
  );
  return all;
}

beforeEach(() => {
  messages = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("who comes, edits and goes is known everywhere, and whoever asks again was there all the time", () => {
  const [one, two] = processes(2) as [Presence, Presence];
  let woken = 0;
  const unwatch = two.watch(lead, () => {
    woken += 1;
  });
  const leave = one.enter(screen("7"), lead, "view");
  vi.advanceTimersByTime(200);
  expect([at(one), at(two), woken]).toEqual([{ 7: "view" }, { 7: "view" }, 1]);
  leave();
  vi.advanceTimersByTime(1_000);
  const again = one.enter(screen("7"), lead, "view");
  leave();
  vi.advanceTimersByTime(60_000);
  expect([at(two), woken]).toEqual([{ 7: "view" }, 1]);
  const { mark } = two.at(lead);
  const editing = one.enter(screen("7"), lead, "edit");
  again();
  vi.advanceTimersByTime(200);
  expect(at(two)).toEqual({ 7: "edit" });
  expect(two.at(lead).mark).not.toBe(mark);
  editing();
  vi.advanceTimersByTime(5_000);
  expect([at(one), at(two)]).toEqual([{}, {}]);
  unwatch();
  one.close();
  two.close();
});

test("a screen is at one record at a time; of two of the same person the one that edits counts", () => {
  const [one, two] = processes(2) as [Presence, Presence];
  const other = { ...lead, id: "43" };
  one.enter(screen("7", "a"), lead, "view");
  one.enter(screen("7", "b"), lead, "edit");
  vi.advanceTimersByTime(200);
  expect(at(two)).toEqual({ 7: "edit" });
  one.enter(screen("7", "b"), other, "view");
  vi.advanceTimersByTime(200);
  expect([at(two), at(two, other)]).toEqual([{ 7: "view" }, { 7: "view" }]);
  one.enter(screen("7", "b"), undefined, "view");
  one.enter(screen("7", "a"), undefined, "view");
  expect([at(one), at(one, other)]).toEqual([{}, {}]);
  expect(at(two, { ...lead, organizationId: "2" })).toEqual({});
});

test("of two who watch the same record, one that goes leaves the other one watching", () => {
  const [one] = processes(1) as [Presence];
  const woken: string[] = [];
  const first = one.watch(lead, () => void woken.push("first"));
  const second = one.watch(lead, () => void woken.push("second"));
  first();
  one.enter(screen("7"), lead, "view");
  expect(woken).toEqual(["second"]);
  second();
  // Whoever has gone says so again: somebody else watches by then.
  const third = one.watch(lead, () => void woken.push("third"));
  second();
  one.enter(screen("8"), lead, "view");
  expect(woken).toEqual(["second", "third"]);
  third();
  one.close();
});

test("a process that died, and one that stops, takes its people along", () => {
  const [one, two] = processes(2) as [Presence, Presence];
  one.enter(screen("7"), lead, "view");
  // It tells nothing any more.
  two.hear(JSON.stringify({ from: "gone", are: [["1 crm/leads 42", "1 8 ", "8", "edit"]] }));
  vi.advanceTimersByTime(200);
  expect(at(two)).toEqual({ 7: "view", 8: "edit" });
  vi.advanceTimersByTime(40_000);
  expect(at(two)).toEqual({ 7: "view" });
  one.close();
  expect(at(two)).toEqual({});
});

test("many are told in messages that fit, few of them, and nobody takes more places than they may", () => {
  const [one, two] = processes(2) as [Presence, Presence];
  for (let user = 0; user < 500; user += 1) one.enter(screen(String(user), "0123456789abcdef"), lead, "view");
  vi.advanceTimersByTime(200);
  expect(Object.keys(at(two))).toHaveLength(500);
  expect(messages.length).toBeLessThan(10);
  expect(Math.max(...messages.map((text) => Buffer.byteLength(text)))).toBeLessThan(8_000);
  messages = [];
  vi.advanceTimersByTime(100_000);
  expect(messages.length).toBeLessThan(100);

  for (let tab = 0; tab < 1_000; tab += 1) one.enter(screen("9000", String(tab)), { ...lead, id: String(tab) }, "view");
  for (let user = 10_000; user < 20_000; user += 1) one.enter(screen(String(user)), lead, "view");
  vi.advanceTimersByTime(200);
  expect(Object.keys(at(two))).toHaveLength(4_980);
  one.close();
  expect(at(two)).toEqual({});
});
