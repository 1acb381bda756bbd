// What only a real socket shows: cut connections, raw garbage, keep-alive after a refusal, shutting down.
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { type AddressInfo, connect, type Socket } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bearer, openTestApp, type TestApp } from "./test-app.ts";

let service: TestApp;
let port: number;
beforeAll(async () => {
  service = await openTestApp();
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  port = portOf(service);
});
afterAll(() => service.close());

// A TCP server's address is no text.
const portOf = ({ app }: TestApp): number => (app.server.address() as AddressInfo).port;

const open = async (): Promise<Socket> => {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
};

async function untilClosed(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => {});
  await once(socket, "close");
  return Buffer.concat(chunks).toString();
}

async function eventually(check: () => Promise<boolean> | boolean): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("it never came true");
}

const temporary = () => readdir(path.join(service.dataDir, "tmp")).catch(() => []);
const head = (method: string, url: string, more: string[]) =>
  [`${method} ${url} HTTP/1.1`, "host: x", "authorization: Bearer good", ...more, "", ""].join("\r\n");

test("a connection cut in the middle of an upload leaves no file and one log line", async () => {
  const socket = await open();
  const before = service.logLines.length;
  const calls = service.calls.length;
  socket.write(
    head("POST", "/crm/leads/add.json", ["content-type: multipart/form-data; boundary=B", "content-length: 1000000"]),
  );
  socket.write('--B\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\n\r\n');
  socket.write("x".repeat(150_000));
  await eventually(async () => (await temporary()).length === 1);
  socket.destroy();
  await eventually(async () => (await temporary()).length === 0);
  await eventually(() => service.logLines.length > before);
  expect(service.logLines.slice(before)).toMatchObject([{ msg: "request", status: 499, path: "/crm/leads/add.json" }]);
  expect(service.calls.length).toBe(calls);
});

test("a connection cut in the middle of a JSON body calls nothing", async () => {
  const socket = await open();
  const before = service.logLines.length;
  const calls = service.calls.length;
  socket.write(
    `${head("POST", "/crm/leads/add.json", ["content-type: application/json", "content-length: 100"])}{"data":`,
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  await eventually(() => service.logLines.length > before);
  expect(service.calls.length).toBe(calls);
});

test("what is not HTTP gets an envelope and a closed connection", async () => {
  const socket = await open();
  const answer = untilClosed(socket);
  socket.write("HELLO\r\n\r\n");
  const text = await answer;
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4))).toMatchObject({
    errors: [expect.any(String)],
    message: [],
  });
});

test("a huge header is too large", async () => {
  const socket = await open();
  const answer = untilClosed(socket);
  socket.write(head("GET", "/crm/leads/index.json", [`x-huge: ${"x".repeat(150_000)}`]));
  const text = await answer;
  expect(text).toMatch(/^HTTP\/1\.1 431 /);
  expect(text).toContain('"error_code":"headers_too_large"');
});

test.each([
  ["without a token", "Bearer bad", 401],
  ["past the limit", "Bearer good", 413],
])("a big body %s is refused, and the connection can be used again", async (_, authorization, status) => {
  const url = `http://127.0.0.1:${port}/crm/leads/add.json`;
  const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
  for (let round = 0; round < 3; round += 1) {
    const response = await fetch(url, { method: "POST", headers, body: "x".repeat(12 * 1024 * 1024) });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ errors: [expect.any(String)] });
  }
});

test("a chunked body is limited as it arrives", async () => {
  const socket = await open();
  const answer = untilClosed(socket);
  socket.write(
    head("POST", "/crm/leads/add.json", [
      "content-type: application/json",
      "transfer-encoding: chunked",
      "connection: close",
    ]),
  );
  const chunk = `100000\r\n${" ".repeat(0x100000)}\r\n`;
  for (let index = 0; index < 12; index += 1) socket.write(chunk);
  socket.write("0\r\n\r\n");
  expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
});

test("closing finishes what runs, and says that the connection ends", async () => {
  const closing = await openTestApp();
  await closing.app.listen({ port: 0, host: "127.0.0.1" });
  const url = `http://127.0.0.1:${portOf(closing)}/crm/leads/slow.json`;
  const running = fetch(url, { headers: bearer });
  await eventually(() => closing.calls.length === 1);
  const closed = closing.close();
  const response = await running;
  expect(response.status).toBe(200);
  await response.text();
  await closed;
  await expect(fetch(url)).rejects.toThrow();
});

test("HEAD is not answered where GET writes: who only asks changes nothing", async () => {
  const before = service.calls.length;
  const url = `http://127.0.0.1:${port}/crm/leads/delete.json?id=1&is_confirm=1`;
  const response = await fetch(url, { method: "HEAD", headers: bearer });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, POST"]);
  expect(service.calls.length).toBe(before);
});

test("HEAD is answered like GET, without a body", async () => {
  const url = `http://127.0.0.1:${port}/crm/leads/index.json`;
  const response = await fetch(url, { method: "HEAD", headers: bearer });
  expect(response.status).toBe(200);
  expect(Number(response.headers.get("content-length"))).toBeGreaterThan(0);
  expect(await response.text()).toBe("");
  expect(service.calls.at(-1)?.call.method).toBe("GET");
});

test.each(["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"])(
  "who is unknown is told so before a large body (%s) is read",
  async (type) => {
    const socket = await open();
    const answer = new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
    // The body is announced and never sent.
    socket.write(
      "POST /crm/leads/add.json HTTP/1.1\r\nhost: x\r\nauthorization: Bearer bad\r\n" +
        `content-type: ${type}\r\ncontent-length: 5000000\r\n\r\n`,
    );
    expect(await answer).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  },
);
