import { expect, test } from "vitest";
import { type Retry, withRetries } from "./retries.ts";

/** A service that answers like this, one after the other. */
function service(...answers: readonly (number | Response | Error)[]) {
  const sent: (string | null)[] = [];
  const retries: Retry[] = [];
  const send = withRetries(
    async (_, init) => {
      const answer = answers[sent.length] ?? 200;
      sent.push(new Headers(init?.headers).get("idempotency-key"));
      if (answer instanceof Error) throw answer;
      return typeof answer === "number" ? Response.json({ errors: [] }, { status: answer }) : answer;
    },
    { pauseMs: 1, retries: 3, onRetry: (retry) => retries.push(retry) },
  );
  return { sent, retries, send };
}

const write = { method: "POST", headers: { "idempotency-key": "k1" } };
const failed = (code: string) => Response.json({ errors: [""], error_code: code }, { status: 503 });

test("a write is sent again under its key until it is answered", async () => {
  const { sent, retries, send } = service(new TypeError("reset"), 502, failed("database_unavailable"), 200);
  expect((await send("https://one.example/", write)).status).toBe(200);
  expect(sent).toEqual(["k1", "k1", "k1", "k1"]);
  expect(retries.map(({ attempt, reason }) => [attempt, reason])).toEqual([
    [1, expect.any(TypeError)],
    [2, 502],
    [3, 503],
  ]);
});

test("after the last attempt, what happened is told as it is", async () => {
  const busy = service(429, 429, 429, 429, 200);
  expect((await busy.send("https://one.example/")).status).toBe(429);
  const away = service(...Array.from({ length: 4 }, () => new TypeError("gone")));
  await expect(away.send("https://one.example/")).rejects.toThrow("gone");
  expect(away.sent).toHaveLength(4);
});

test.each<[string, RequestInit, number | Response | Error]>([
  ["a write without a key that got no answer", { method: "POST" }, new TypeError("reset")],
  ["a write without a key on a busy service", { method: "POST" }, 503],
  ["what would take too long again", {}, failed("took_too_long")],
  ["what is refused", write, 422],
])("%s is not sent again", async (_, init, answer) => {
  const { sent, send } = service(answer);
  await send("https://one.example/", init).catch(() => undefined);
  expect(sent).toHaveLength(1);
});

test("an answer that breaks off is none", async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError("cut")) });
  const { sent, send } = service(new Response(broken, { headers: { "content-type": "application/json" } }), 200);
  expect(await (await send("https://one.example/", write)).json()).toEqual({ errors: [] });
  expect(sent).toHaveLength(2);
});

test("waits as long as Retry-After says, and a signal ends the wait", async () => {
  const stop = new AbortController();
  const { retries, sent, send } = service(new Response("", { status: 429, headers: { "retry-after": "30" } }), 200);
  const answer = send("https://one.example/", { signal: stop.signal });
  await expect.poll(() => retries.map(({ waitMs }) => waitMs)).toEqual([30_000]);
  stop.abort(new Error("enough"));
  await expect(answer).rejects.toThrow("enough");
  expect(sent).toHaveLength(1);
});
