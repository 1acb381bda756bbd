// Which traces are recorded, what joins them to those of others, and how they are sent: to a collector over HTTP, never at
// anybody's expense.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { openTracer } from "./open-tracer.ts";
import { openOtlp } from "./otlp.ts";
import { createTracer, type FinishedSpan, parseTraceparent, traceHeaders } from "./tracer.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

test.each([
  [`00-${TRACE}-${SPAN}-01`, { traceId: TRACE, spanId: SPAN, sampled: true }],
  [`00-${TRACE}-${SPAN}-00`, { traceId: TRACE, spanId: SPAN, sampled: false }],
  [`01-${TRACE}-${SPAN}-01`, undefined],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, undefined],
  [`00-${"0".repeat(32)}-${SPAN}-01`, undefined],
  [`00-${TRACE}-${"0".repeat(16)}-01`, undefined],
  [`00-${TRACE}-${SPAN}-01-more`, undefined],
  ["", undefined],
  [undefined, undefined],
  [["00", "01"], undefined],
])("%j is taken as what it is", (header, expected) => {
  expect(parseTraceparent(header)).toEqual(expected);
});

test("whatever is sent is no fault", () => {
  fc.assert(fc.property(fc.anything(), (header) => void parseTraceparent(header)));
});

const collecting = (ratio: number) => {
  const spans: FinishedSpan[] = [];
  const tracer = createTracer({ ratio, take: (span) => void spans.push(span), close: async () => undefined });
  return { tracer, spans };
};

test("a trace goes on where it came from, and is handed on; one that is not wanted is not made", () => {
  const { tracer, spans } = collecting(1);
  const span = tracer.begin("request", "server", { traceparent: `00-${TRACE}-${SPAN}-01` });
  expect(traceHeaders(span)).toEqual({ traceparent: `00-${TRACE}-${span?.spanId}-01` });
  span?.end({ name: "GET index" });
  span?.end();
  expect(spans).toMatchObject([{ traceId: TRACE, parentId: SPAN, name: "GET index", failure: undefined }]);
  expect(tracer.begin("request", "server", { traceparent: `00-${TRACE}-${SPAN}-00` })).toBeUndefined();
  expect(traceHeaders(undefined)).toEqual({});
});

test("of many traces the given part is made", () => {
  const { tracer } = collecting(0.25);
  const made = Array.from({ length: 4_000 }, () => tracer.begin("request", "server")).filter(Boolean).length;
  expect(made).toBeGreaterThan(800);
  expect(made).toBeLessThan(1_200);
  expect(collecting(0).tracer.begin("request", "server")).toBeUndefined();
});

test("without settings there is no tracer", async () => {
  expect(await openTracer(undefined, "1", () => undefined)).toBeUndefined();
});

const span: FinishedSpan = {
  traceId: TRACE,
  spanId: SPAN,
  parentId: undefined,
  name: "request",
  kind: "server",
  began: 1,
  ended: 2,
  attributes: {},
  failure: undefined,
};

test("a collector that is away is told of once, holds nobody up, and gets what comes later", async () => {
  let bodies = 0;
  let status = 503;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (status === 200) bodies += 1;
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const lines: string[] = [];
  const otlp = openOtlp({
    url: `http://127.0.0.1:${port}/v1/traces`,
    headers: {},
    serviceName: "dossier",
    version: "1",
    log: (line) => lines.push(line),
  });
  // More than it keeps: the rest is given up.
  for (let at = 0; at < 10_000; at += 1) otlp.take(span);
  await expect.poll(() => lines).toEqual([`traces are not taken at 127.0.0.1:${port}: it answered 503`]);
  status = 200;
  await otlp.close();
  expect(lines).toEqual([expect.stringContaining("503"), `traces are taken at 127.0.0.1:${port} again`]);
  // At most as much as was kept.
  expect(bodies).toBeGreaterThan(0);
  expect(bodies).toBeLessThanOrEqual(8);
});

test("what comes while a batch is on its way is sent before the end, though that batch was refused", async () => {
  let answer: ((status: number) => void) | undefined;
  const names: string[][] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
    names.push(resourceSpans[0].scopeSpans[0].spans.map(({ name }: { name: string }) => name));
    if (names.length > 1) response.writeHead(200).end();
    else answer = (status) => response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/traces`;
  const otlp = openOtlp({ url, headers: {}, serviceName: "dossier", version: "1", log: () => undefined });
  for (let at = 0; at < 512; at += 1) otlp.take(span);
  await expect.poll(() => answer).toBeDefined();
  otlp.take({ ...span, name: "last" });
  const closed = otlp.close();
  answer?.(503);
  await closed;
  expect(names.slice(1)).toEqual([["last"]]);
});
