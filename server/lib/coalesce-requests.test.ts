import { expect, test } from "vitest";
import { coalesceRequests } from "./coalesce-requests.ts";

/** Questions that are answered by hand, each with its number. */
function questions() {
  const sent: { about: string; answer: (text: string) => void; fail: (error: Error) => void }[] = [];
  const ask = coalesceRequests((about) => new Promise<string>((answer, fail) => sent.push({ about, answer, fail })));
  return { sent, ask };
}

test("all who ask while a question is under way share the next one", async () => {
  const { sent, ask } = questions();
  const first = ask("a");
  const later = [ask("a"), ask("a"), ask("a")];
  expect(sent.length).toBe(1);
  sent[0]?.answer("1");
  expect(await first).toBe("1");
  await Promise.resolve();
  expect(sent.length).toBe(2);
  sent[1]?.answer("2");
  expect(await Promise.all(later)).toEqual(["2", "2", "2"]);
  const last = ask("a");
  sent[2]?.answer("3");
  expect(await last).toBe("3");
});

test("who asks after a question was sent is never given its answer", async () => {
  const { sent, ask } = questions();
  const first = ask("a");
  const second = ask("a");
  sent[0]?.answer("old");
  await first;
  await Promise.resolve();
  const third = ask("a");
  sent[1]?.answer("new");
  expect(await second).toBe("new");
  await Promise.resolve();
  sent[2]?.answer("newer");
  expect(await third).toBe("newer");
});

test("questions about different things do not wait for each other, and a failure is not handed on", async () => {
  const { sent, ask } = questions();
  const a = ask("a");
  const follower = ask("a");
  const b = ask("b");
  expect(sent.map(({ about }) => about)).toEqual(["a", "b"]);
  sent[0]?.fail(new Error("lost"));
  await expect(a).rejects.toThrow("lost");
  await Promise.resolve();
  sent[2]?.answer("found");
  sent[1]?.answer("also found");
  expect(await Promise.all([follower, b])).toEqual(["found", "also found"]);
});
