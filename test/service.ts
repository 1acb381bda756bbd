// Starts the real service on a database of its own, with an administrator whose password is known, and speaks to it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Database } from "../server/database/database.ts";
import { openService } from "../server/service.ts";
import { testConfig } from "./config.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { testAdministrator } from "./global-setup.ts";
import { send, type WireRequest } from "./wire.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service sent; tests say what they expect of it.
  readonly body: any;
}

export interface TestService {
  readonly url: string;
  readonly db: Database;
  readonly connection: TestDatabase["connection"];
  readonly dataDir: string;
  readonly admin: { readonly userName: string; readonly password: string };
  /** A token for a user name and password; the administrator's without. */
  login(userName?: string, password?: string): Promise<string>;
  get(path: string, token?: string): Promise<Answer>;
  /** Posts JSON, or form-data when given one. */
  post(path: string, body: unknown, token?: string, headers?: Record<string, string>): Promise<Answer>;
  stop(): Promise<void>;
}

/** `database`: a second service on the same database, as another process would be. */
export async function startService(
  environment: Record<string, string> = {},
  database?: TestDatabase,
): Promise<TestService> {
  const own = database ?? (await testDatabase("prepared"));
  const dataDir = mkdtempSync(path.join(tmpdir(), "dossier-service-"));
  const config = testConfig(dataDir, environment);
  const service = await openService(config, undefined, own.connection);
  const answer = async (address: string, request: WireRequest): Promise<Answer> => {
    const { status, headers, text } = await send(service.url + address, request);
    return { status, headers, body: headers.get("content-type")?.includes("json") ? JSON.parse(text) : text };
  };
  const bearer = (token?: string): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {});
  const post: TestService["post"] = async (address, body, token, headers = {}) => {
    const form = body instanceof FormData || body instanceof URLSearchParams;
    return answer(address, {
      method: "POST",
      headers: { ...bearer(token), ...(form ? {} : { "content-type": "application/json" }), ...headers },
      body: form ? body : JSON.stringify(body),
    });
  };
  return {
    url: service.url,
    db: own.db,
    connection: own.connection,
    dataDir,
    admin: testAdministrator,
    post,
    get: (address, token) => answer(address, { headers: bearer(token) }),
    login: async (userName = testAdministrator.userName, password = testAdministrator.password) => {
      const users = { user_name: userName, user_password: password };
      const { body } = await post("/access_controls/users/login.json", { data: { users } });
      if (typeof body.access_token !== "string") throw new Error(`login of ${userName}: ${JSON.stringify(body)}`);
      return body.access_token;
    },
    stop: async () => {
      await service.close();
      if (!database) await own.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export interface TwoServices {
  readonly database: TestDatabase;
  readonly service: TestService;
  readonly second: TestService;
  stop(): Promise<void>;
}

/** Two services on one database, as two processes would be. */
export async function startTwoServices(environment: Record<string, string> = {}): Promise<TwoServices> {
  const database = await testDatabase("prepared");
  const service = await startService(environment, database);
  const second = await startService(environment, database);
  return {
    database,
    service,
    second,
    stop: async () => {
      await service.stop();
      await second.stop();
      await database.close();
    },
  };
}
