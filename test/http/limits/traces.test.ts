// Traces of a real service, as a collector receives them: OTLP over HTTP, one trace from the client's span to the statements,
// jobs and mail; and nothing in them that anybody typed.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addRows } from "../people.ts";

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const nanoseconds = z.string().regex(/^\d{19}$/);
const attributes = z.array(
  z.strictObject({
    key: z.string().min(1),
    value: z.union([
      z.strictObject({ stringValue: z.string() }),
      z.strictObject({ intValue: z.string().regex(/^\d+$/) }),
    ]),
  }),
);
/** As opentelemetry-proto's trace/v1 is in JSON; what we do not use is not let through. */
const exported = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(
            z.strictObject({
              traceId: hex(32),
              spanId: hex(16),
              parentSpanId: hex(16).optional(),
              name: z.string().min(1),
              kind: z.number().int().min(1).max(5),
              startTimeUnixNano: nanoseconds,
              endTimeUnixNano: nanoseconds,
              attributes,
              status: z.strictObject({ code: z.literal(2).optional(), message: z.string().optional() }),
            }),
          ),
        }),
      ),
    }),
  ),
});

type Exported = z.infer<typeof exported>;
type Span = Exported["resourceSpans"][0]["scopeSpans"][0]["spans"][0];

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const SECRET = "unmistakable";
const received: { readonly body: Exported; readonly token: string | undefined; readonly text: string }[] = [];
const faults: unknown[] = [];
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const parsed = exported.safeParse(JSON.parse(text));
  if (request.url !== "/v1/traces" || request.headers["content-type"] !== "application/json") faults.push(request.url);
  if (parsed.success) received.push({ body: parsed.data, token: request.headers["x-token"]?.toString(), text });
  else faults.push(parsed.error.issues);
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
});

let service: TestService;
let token: string;
const spans = (): readonly Span[] =>
  received.flatMap(({ body }) => body.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
const at = (span: Span | undefined, key: string): string | undefined => {
  const value = span?.attributes.find((one) => one.key === key)?.value;
  return value && ("stringValue" in value ? value.stringValue : value.intValue);
};

beforeAll(async () => {
  await new Promise<void>((resolve) => void collector.listen(0, "127.0.0.1", resolve));
  const { port } = collector.address() as AddressInfo;
  service = await startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-token=let%20me%20in",
    OTEL_SERVICE_NAME: "dossier-test",
  });
  token = await service.login();
});
afterAll(async () => {
  await service.stop();
  collector.close();
});

const send = (address: string, headers: Record<string, string>) =>
  fetch(service.url + address, { headers: { authorization: `Bearer ${token}`, ...headers } });

test("a list is one trace: from the span that it came from to its statements, with view and operation", async () => {
  const traceparent = `00-${TRACE}-${SPAN}-01`;
  const answer = await send(`/crm/leads/index.json?search_basic=${SECRET}`, { traceparent, "x-request-id": "traced" });
  expect(answer.status).toBe(200);
  await expect.poll(() => spans().find((one) => at(one, "dossier.request") === "traced")).toBeDefined();
  const request = spans().find((one) => at(one, "dossier.request") === "traced");
  expect(request).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, kind: 2, name: "GET index", status: {} });
  expect([at(request, "http.response.status_code"), at(request, "dossier.record_type")]).toEqual(["200", "crm/leads"]);
  expect(at(request, "dossier.view")).toBeTruthy();
  const statements = spans().filter((one) => one.parentSpanId === request?.spanId);
  expect(statements.length).toBeGreaterThan(0);
  for (const one of statements) expect([one.traceId, one.kind]).toEqual([TRACE, 3]);
  expect(statements.map((one) => at(one, "dossier.view"))).toContain(at(request, "dossier.view"));
  expect(statements.some((one) => at(one, "db.query.text")?.includes("crm__leads"))).toBe(true);
});

test("who does not want to be traced is not; a header that is none begins a trace of its own", async () => {
  await send("/crm/leads/index.json", { traceparent: `00-${TRACE}-${SPAN}-00`, "x-request-id": "unwanted" });
  await send("/crm/leads/index.json", { traceparent: "00-nonsense", "x-request-id": "odd" });
  await expect.poll(() => spans().find((one) => at(one, "dossier.request") === "odd")).toBeDefined();
  const odd = spans().find((one) => at(one, "dossier.request") === "odd");
  expect(odd).not.toHaveProperty("parentSpanId");
  expect(odd?.traceId).not.toBe(TRACE);
  expect(spans().some((one) => at(one, "dossier.request") === "unwanted")).toBe(false);
});

test("jobs and mail have spans", async () => {
  await addRows(
    service,
    "crm/leads",
    Array.from({ length: 1_001 }, (_, n) => ({ last_name: `L${n}`, name: `L${n}` })),
  );
  const ids = (await service.db.rows(sql`select id::text as id from crm__leads where organization_id = 1`)).map(
    ({ id }) => id,
  );
  await service.post("/crm/leads/edit_selected.json", { data: { leads: { id: ids, score: "7" } } }, token);
  const invitations = { email: `${SECRET}@x.example`, role_id: "" };
  const role = await service.db.row(sql`
    select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`);
  const data = { invitations: { ...invitations, role_id: role?.id }, action: { save_progress: "Save" } };
  expect((await service.post("/access_controls/invitations/add.json", { data }, token)).status).toBe(200);
  const named = (name: string) => spans().find((one) => one.name === name);
  await expect.poll(() => [named("job") !== undefined, named("mail") !== undefined]).toEqual([true, true]);
  expect(named("job")).toMatchObject({ kind: 5, status: {} });
  expect(named("mail")).toMatchObject({ kind: 4, status: {} });
  expect(at(named("job"), "dossier.organization")).toBe("1");
});

test("nothing that anybody typed, no address, no secret is in a span, and the collector understood all of them", async () => {
  await service.login();
  await service.get(`/core/${SECRET}/index.json`, token);
  await service.post(
    "/access_controls/users/login.json",
    { data: { users: { user_name: SECRET, user_password: SECRET } } },
    "",
  );
  await expect.poll(() => spans().filter((one) => one.name === "POST login").length).toBeGreaterThan(1);
  expect(faults).toEqual([]);
  const sent = received.map(({ text }) => text).join();
  expect(sent).not.toMatch(new RegExp(`${SECRET}|Bearer|${service.admin.password}|let me in|${token}`));
  expect(new Set(received.map((one) => one.token))).toEqual(new Set(["let me in"]));
  const [first] = received[0]?.body.resourceSpans ?? [];
  expect(first?.resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "dossier-test" } });
});
