// A small service for the tests of this folder: one record type's worth of fake operations behind the real HTTP layer.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { Failure } from "../../contract/failures.ts";
import { say, verb } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import { readConfig } from "../config.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { buildSnapshot } from "../metadata/snapshot.ts";
import type { Operation, OperationContext, OperationResult, Services } from "../operations/operation.ts";
import { buildApp } from "./app.ts";
import type { AppDependencies } from "./dependencies.ts";
import { throttle } from "./throttle.ts";

export interface TestApp {
  readonly app: FastifyInstance;
  readonly dataDir: string;
  readonly webRoot: string;
  /** Every call that reached an operation. */
  readonly calls: OperationContext[];
  readonly logLines: Record<string, unknown>[];
  close(): Promise<void>;
}

type Run = (context: OperationContext) => Promise<OperationResult> | OperationResult;

export interface TestSettings {
  readonly environment?: Record<string, string>;
  readonly operations?: Record<string, Partial<Operation>>;
  readonly dependencies?: Partial<AppDependencies>;
}

const caller: Caller = {
  userId: "7",
  userName: "ada",
  fullName: "Ada Lovelace",
  organizationId: "1",
  organizationName: "Engines",
  isOperator: true,
  isAdministrator: false,
  principals: [1],
  roles: [],
  locale: "en",
  language: "en",
  timeZone: "UTC",
  credential: { kind: "session", sessionId: "s" },
};

export async function openTestApp(settings: TestSettings = {}): Promise<TestApp> {
  const folder = await mkdtemp(path.join(tmpdir(), "dossier-http-"));
  const dataDir = path.join(folder, "data");
  const webRoot = path.join(folder, "web");
  const calls: OperationContext[] = [];
  const logLines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const operation = (run: Run, more: Partial<Operation> = {}): Operation => ({
    methods: ["GET", "POST"],
    authentication: "required",
    reads: true,
    ...more,
    async run(context) {
      calls.push(context);
      return run(context);
    },
  });
  const echo: Run = ({ call }) => ({
    message: [say("job_over")],
    body: { data: call.data, parameters: call.parameters },
  });
  const operations: Record<string, Operation> = {
    index: operation(echo, { matrix: "index" }),
    forbidden: operation(echo, { matrix: "design" }),
    add: operation(echo, { methods: ["POST"], reads: false }),
    login: operation(echo, { methods: ["POST"], authentication: "none", reads: false }),
    delete: operation(echo, { reads: false }),
    edit_selected: operation(echo, { methods: ["POST"], reads: false }),
    delete_selected: operation(echo, { reads: false }),
    crash: operation(() => {
      throw new Error("secret internals");
    }),
    invalid: operation(() => {
      throw new Failure("invalid", { byField: { "leads.name": [say("is_missing")] }, body: { data: { leads: {} } } });
    }),
    raw: operation(() => ({
      raw: { contentType: "application/json; charset=utf-8", content: '{"errors":[],"message":[]}' },
    })),
    tagged: operation(() => ({ headers: { etag: '"v1"' }, body: {} })),
    slow: operation(async ({ time }) => {
      await time("sleep", () => new Promise((resolve) => setTimeout(resolve, 200)));
      return { body: {} };
    }),
  };
  for (const [name, more] of Object.entries(settings.operations ?? {})) {
    operations[name] = operation(more.run ?? echo, { ...more });
  }
  const config = readConfig({ DATA_DIR: dataDir, RATE_LIMIT: "0", ...settings.environment });
  const app = await buildApp({
    config,
    log: pino({ level: "info" }, sink),
    // No fake operation touches a service.
    services: { config } as Services,
    throttle: throttle(config.rateLimit),
    isDraining: () => false,
    figures: {
      pools: () => ({}),
      reads: () => ({ standby: 0, behind: 0, unusable: 0 }),
      events: () => ({ connected: true, heard: 0 }),
      queues: async () => undefined,
      backups: () => Promise.reject(new Error("none")),
    },
    webRoot,
    snapshot: () => ({ ...buildSnapshot([], [], "1"), modules: new Set(["crm"]) }),
    reload: async () => undefined,
    findOperation(_snapshot, module, controller, name) {
      if (module !== "crm") return "unknown_module";
      if (controller !== "leads") return "unknown_controller";
      const found = operations[name];
      // The HTTP layer reads nothing of the type but its names, and hands it on.
      const type = { key: "crm/leads", alias: "leads", names: ["leads"] } as unknown as RecordType;
      return found ? { operation: found, type } : "unknown_operation";
    },
    async authenticate(token) {
      const confirmed = Promise.resolve();
      if (token === "good") return { caller, confirmed };
      if (token === "colleague") return { caller: { ...caller, userId: "8" }, confirmed };
      if (token === "read-key") {
        return { caller: { ...caller, credential: { kind: "api-key", keyId: "k", scope: "read" } }, confirmed };
      }
      throw new Failure("login_required");
    },
    admit(_caller, type, { matrix }) {
      if (matrix === "design")
        throw new Failure("operation_forbidden", { with: { operation: verb(matrix), type: type?.key ?? "" } });
      return undefined;
    },
    ready: async () => true,
    ...settings.dependencies,
  });
  await app.ready();
  return {
    app,
    dataDir,
    webRoot,
    calls,
    logLines,
    async close() {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const bearer = { authorization: "Bearer good" };
