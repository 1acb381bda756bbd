import { expect, test, vi } from "vitest";
import { createTransport, fileName } from "./transport.ts";
import { Unreachable, WireFailure } from "./wire-failure.ts";

const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

test("posts JSON with the bearer token to the .json address", async () => {
  const send = vi.fn<typeof fetch>(async () => answer(200, { errors: [], message: ["ok"], data: 1 }));
  const call = createTransport({ fetch: send, token: async () => "t1" });
  expect(await call("a/b/c", { query: { id: 1 }, body: { x: 1 } })).toMatchObject({ data: 1 });
  const [address, init] = send.mock.calls[0] ?? [];
  expect(address).toBe("/a/b/c.json?id=1");
  expect(init).toMatchObject({ method: "POST", body: '{"x":1}', credentials: "omit" });
  expect(init?.headers).toMatchObject({ authorization: "Bearer t1", "content-type": "application/json" });
});

test("tries once more with another token when the first is refused", async () => {
  const send = vi.fn<typeof fetch>(async (_, init) =>
    new Headers(init?.headers).get("authorization") === "Bearer new"
      ? answer(200, { errors: [], message: [] })
      : answer(401, { errors: ["Client need to login to access this URL"] }),
  );
  const loginRequired = vi.fn();
  const call = createTransport({
    fetch: send,
    token: async (refused) => (refused === undefined ? "old" : "new"),
    onLoginRequired: loginRequired,
  });
  await call("a/b/c");
  expect(send).toHaveBeenCalledTimes(2);
  expect(loginRequired).not.toHaveBeenCalled();
});

test("says that a login is needed when no other token is left", async () => {
  const loginRequired = vi.fn();
  const call = createTransport({
    fetch: async () => answer(401, { errors: ["Client need to login to access this URL"] }),
    token: async (refused) => (refused === undefined ? "old" : undefined),
    onLoginRequired: loginRequired,
  });
  await expect(call("a/b/c")).rejects.toBeInstanceOf(WireFailure);
  expect(loginRequired).toHaveBeenCalledOnce();
});

test("goes on with the call once somebody has logged in again", async () => {
  let token: string | undefined;
  const send = vi.fn(async (_input: unknown, init?: RequestInit) =>
    new Headers(init?.headers).get("authorization") === "Bearer again"
      ? answer(200, { errors: [], message: ["saved"] })
      : answer(401, { errors: ["Client need to login to access this URL"] }),
  );
  const call = createTransport({
    fetch: send as typeof fetch,
    token: async () => token,
    onLoginRequired: async () => {
      token = "again";
      return true;
    },
  });
  expect((await call("a/b/edit", { body: { data: {} } })).message).toEqual(["saved"]);
  expect(send).toHaveBeenCalledTimes(2);
});

test("does not take a failed login for an ended session", async () => {
  const loginRequired = vi.fn();
  const call = createTransport({
    fetch: async () => answer(401, { errors: ["no"] }),
    onLoginRequired: loginRequired,
  });
  await expect(call("a/b/login", { body: {}, anonymous: true })).rejects.toMatchObject({ status: 401, errors: ["no"] });
  expect(loginRequired).not.toHaveBeenCalled();
});

test("tells a service that is away from one that refuses", async () => {
  const away = createTransport({ fetch: () => Promise.reject(new TypeError("failed to fetch")) });
  await expect(away("a/b/c")).rejects.toBeInstanceOf(Unreachable);
  const proxy = createTransport({ fetch: async () => new Response("<html>Bad gateway", { status: 502 }) });
  await expect(proxy("a/b/c")).rejects.toMatchObject({ name: "WireFailure", status: 502 });
  const stranger = createTransport({ fetch: async () => new Response("<html>hello") });
  await expect(stranger("a/b/c")).rejects.toBeInstanceOf(Unreachable);
});

test("reads the name of a file, with all its letters where they are given", () => {
  expect(fileName(`attachment; filename="a b.csv"; filename*=UTF-8''%C3%84%20b.csv`)).toBe("Ä b.csv");
  expect(fileName('attachment; filename="plain.csv"')).toBe("plain.csv");
  expect(fileName(null)).toBeUndefined();
});
