// The client as a package, installed from its file, against a real service: what it offers, the program of its guide, and types of
// record types that were made here.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Dossier } from "../../client/index.ts";
import { typesCommand } from "../../server/commands/types.ts";
import { readConfig } from "../../server/config.ts";
import { forgetEvents, publishAllEvents } from "../../server/database/events/publish-events.ts";
import { sql } from "../../server/database/sql.ts";
import { root } from "../../server/lib/root.ts";
import { startService, type TestService } from "../service.ts";
import { type Installed, installClient, runIn, tsc } from "./installed.ts";

let service: TestService;
let installed: Installed;
let dossier: Dossier;
let key: string;

const definition = {
  module: "crm",
  controller: "parts",
  label: "Part */ of a machine",
  plural: "Parts",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text", required: true },
    { name: "code", type: "short-text", unique: true },
    { name: "size", type: "integer" },
    {
      name: "state",
      type: "choice",
      settings: {
        options: [
          { value: "open", label: "Open" },
          { value: 'a "quoted" one', label: "Quoted" },
        ],
      },
    },
    {
      name: "colors",
      type: "multiple-choice",
      settings: {
        options: [
          { value: "red", label: "Red" },
          { value: "blue", label: "Blue" },
        ],
      },
    },
    { name: "lead_id", type: "reference", settings: { to: "crm/leads" } },
    { name: "drawing", type: "file" },
    { name: "place", type: "address" },
  ],
  access: { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] },
};

beforeAll(async () => {
  [service, installed] = await Promise.all([startService({ RATE_LIMIT: "0" }), installClient()]);
  const admin = await service.login();
  const saved = await service.post(
    "/metadata/record_types/save.json",
    { definition: JSON.stringify(definition) },
    admin,
  );
  expect(saved.body.errors).toEqual([]);
  const api_keys = { name: "program", scope: "write" };
  const made = await service.post(
    "/access_controls/api_keys/add.json",
    { data: { api_keys, action: { save_progress: "Save" } } },
    admin,
  );
  key = made.body.data.api_keys.secret;
  dossier = installed.package.connect({ url: service.url, key, pauseMs: 1 });
});
afterAll(async () => {
  await service.stop();
  rmSync(installed.folder, { recursive: true, force: true });
});

const collect = async <T>(all: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
};

describe("the installed package", () => {
  test("brings no other package along, and signs in with a password or a key", async () => {
    const lock = JSON.parse(readFileSync(path.join(installed.folder, "package-lock.json"), "utf8"));
    expect(Object.keys(lock.packages)).toEqual(["", "node_modules/@dossier/client"]);
    const { userName, password } = service.admin;
    const signedIn = installed.package.connect({ url: `${service.url}/`, userName, password });
    const [one, other] = await Promise.all([
      signedIn.save("crm/parts", { name: "By password" }),
      signedIn.save("crm/parts", { name: "By password, too" }),
    ]);
    expect(await dossier.read("crm/parts", one.id)).toMatchObject({ name: "By password", id: one.id });
    await signedIn.signOut();
    // The session is over, and begins anew.
    expect(await signedIn.read("crm/parts", other.id)).toMatchObject({ name: "By password, too" });
    const nobody = installed.package.connect({ url: service.url, key: "dk_no" });
    await expect(nobody.read("crm/parts", one.id)).rejects.toMatchObject({ status: 401, code: "login_required" });
  });

  test("saves, tells what is wrong by field, notices what others changed, deletes and restores", async () => {
    const saved = await dossier.save("crm/parts", { name: "Bolt", size: 7, colors: ["red", "blue"], state: "open" });
    expect(saved).toMatchObject({ name: "Bolt", size: "7", colors: "red;blue", revision: "1" });
    const { id } = saved;
    await dossier.save("crm/parts", { id, revision: "1", size: 8 });
    const stale = dossier.save("crm/parts", { id, revision: "1", size: 9 });
    await expect(stale).rejects.toMatchObject({ name: "WireFailure", status: 409, code: "conflict" });
    const refused = dossier.save("crm/parts", { name: null, size: "many" });
    await expect(refused).rejects.toBeInstanceOf(installed.package.WireFailure);
    await expect(refused).rejects.toMatchObject({
      code: "invalid",
      byField: { "parts.name": [expect.any(String)], "parts.size": [expect.any(String)] },
    });
    const again = { idempotencyKey: "the-same-write-after-a-restart" };
    const first = await dossier.save("crm/parts", { name: "Once" }, again);
    expect((await dossier.save("crm/parts", { name: "Once" }, again)).id).toBe(first.id);
    await dossier.delete("crm/parts", id);
    expect(await collect(dossier.list("crm/parts", { where: { id } }))).toEqual([]);
    await dossier.restore("crm/parts", id);
    expect(await collect(dossier.list("crm/parts", { where: { id }, fields: ["size"] }))).toEqual([{ id, size: "8" }]);
    await expect(dossier.read("crm/parts", "987654")).rejects.toMatchObject({ code: "record_not_found" });
  });

  test("upserts by key, and lists each record once while others write", async () => {
    const rows = (count: number, size: (index: number) => number) =>
      (function* () {
        for (let index = 0; index < count; index += 1)
          yield { code: `n${index}`, name: `Nut ${index}`, size: size(index) };
      })();
    const added = await dossier.upsert(
      "crm/parts",
      "code",
      rows(1_150, (index) => index),
    );
    expect(added).toMatchObject({ added: 1_150, changed: 0, failed: [] });
    const again = await dossier.upsert(
      "crm/parts",
      ["code"],
      rows(550, (index) => (index === 520 ? -1 : index)),
    );
    expect(again).toMatchObject({ added: 0, changed: 1, unchanged: 549, ids: added.ids.slice(0, 550) });
    const some = await dossier.upsert("crm/parts", "code", [
      { code: "n0", name: "" },
      { code: "n1", name: "Nut" },
    ]);
    expect(some).toMatchObject({
      changed: 1,
      failed: [{ row: 0, errors: [expect.any(String)] }],
      ids: [null, added.ids[1]],
    });
    const none = await dossier.addMany("crm/parts", [{ name: "" }]);
    expect(none).toMatchObject({ added: 0, failed: [{ row: 0 }] });

    const seen: string[] = [];
    const where = { code: { op: "starts with", value: "n" } };
    for await (const { id, code } of dossier.list("crm/parts", { fields: ["code"], where })) {
      if (seen.length === 3) {
        // Behind what was given, and within it: pages that are counted from the start would skip rows and repeat some.
        await dossier.bulkDelete("crm/parts", { ids: seen });
        await dossier.editMany("crm/parts", [{ id: added.ids[900], name: "Edited" }]);
        await dossier.addMany("crm/parts", [{ name: "Late", code: "n-late" }]);
      }
      expect(code).toMatch(/^n/);
      seen.push(id);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining([...added.ids]));
    await dossier.bulkRestore("crm/parts", { ids: seen.slice(0, 3) });

    const inOrder = await collect(
      dossier.list("crm/parts", { fields: ["size"], where, order: ["size DESC"], limit: 3 }),
    );
    expect(inOrder.map(({ size }) => size)).toEqual([null, "1149", "1148"]);
    const all = await collect(dossier.list("crm/parts", { fields: ["size"], where, order: ["size"] }));
    expect(all.slice(0, 2).map(({ size }) => size)).toEqual(["-1", "0"]);
    expect(all).toHaveLength(1_151);
  });

  test("waits for a job, and never takes everything for a selection that was left out", async () => {
    const progress: number[] = [];
    const done = await dossier.bulkEdit(
      "crm/parts",
      { where: { OR: [{ code: { op: "starts with", value: "n" } }, { name: "nothing" }] } },
      { state: "open" },
      { onProgress: (job) => progress.push(job.done) },
    );
    expect(done).toMatchObject({ total: 1_151, failed: {} });
    expect(progress.at(-1)).toBe(1_151);
    const [row] = await collect(dossier.list("crm/parts", { where: { code: "n700" }, fields: ["state"] }));
    expect(row?.state).toBe("open");
    expect(() => dossier.bulkDelete("crm/parts", {})).toThrow("Say which records");
    expect((await dossier.bulkDelete("crm/parts", { where: { code: "n-late" } })).total).toBe(1);
  });

  test("sends files and gets them back", async () => {
    const content = new Blob(["Some text\n"], { type: "text/plain" });
    const part = await dossier.save("crm/parts", { name: "Drawn", drawing: new File([content], "drawing.txt") });
    const drawing = await dossier.download("crm/parts", part.id, { field: "drawing" });
    expect([drawing.name, await drawing.content.text()]).toEqual(["drawing.txt", "Some text\n"]);
    const lead = await dossier.save("crm/leads", { last_name: "Filed" });
    const attached = await dossier.attach("crm/leads", lead.id, content, { name: "note ü.txt" });
    expect(await dossier.download("core/attachments", attached)).toMatchObject({ name: "note ü.txt" });
  });

  test("is stopped by a signal, wherever it is", async () => {
    const gone = new AbortController();
    const changes = dossier.changes({ types: ["crm/parts"], signal: gone.signal });
    const next = changes.next();
    const reason = new Error("enough");
    gone.abort(reason);
    await expect(next).rejects.toBe(reason);
    await expect(dossier.read("crm/parts", "1", { signal: gone.signal })).rejects.toBe(reason);
    await expect(dossier.delete("crm/parts", "1", { signal: gone.signal })).rejects.toBe(reason);
    await expect(dossier.list("crm/parts", { signal: gone.signal }).next()).rejects.toBe(reason);
    await expect(dossier.upsert("crm/parts", "code", [{ code: "x" }], { signal: gone.signal })).rejects.toBe(reason);
  });

  test("tells every change since a cursor, and refuses one that was made up", async () => {
    const { cursor } = await dossier.call<{ cursor: string }>("core/changes/index");
    const { id } = await dossier.save("crm/parts", { name: "Followed" });
    await dossier.save("crm/parts", { id, size: 1 });
    await dossier.delete("crm/parts", id);
    const told = await collect(dossier.changes({ types: ["crm/parts"], after: cursor, wait: 0 }));
    expect(told.map((change) => [change.operation, change.id])).toEqual([
      ["add", id],
      ["edit", id],
      ["delete", id],
    ]);
    const rest = await collect(dossier.changes({ after: told[1]?.cursor ?? "", wait: 0 }));
    expect(rest.map(({ operation }) => operation)).toEqual(["delete"]);
    await expect(collect(dossier.changes({ after: "made up", wait: 0 }))).rejects.toMatchObject({ status: 400 });
  });
});

describe("the program of the guide", () => {
  const inGuide = (): string => {
    const [, text = ""] = readFileSync(path.join(root, "docs/client.md"), "utf8").split("```js\n// sync.mjs\n");
    return text.split("```\n", 1)[0] ?? "";
  };
  const copy = (): unknown => JSON.parse(readFileSync(path.join(installed.folder, "leads.json"), "utf8")).records;
  const truth = async (): Promise<unknown> =>
    Object.fromEntries(
      (await collect(dossier.list("crm/leads", { fields: ["name", "status", "score", "modified"] }))).map((row) => [
        row.id,
        row,
      ]),
    );
  const sync = (more: Record<string, string> = {}) =>
    runIn(installed.folder, { DOSSIER_URL: service.url, DOSSIER_KEY: key, ...more }, process.execPath, "sync.mjs");

  async function write(name: string): Promise<void> {
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const { id } = await dossier.save("crm/leads", { last_name: `${name} ${index}` });
      ids.push(id);
      if (index % 3 === 1) await dossier.save("crm/leads", { id: ids[index - 1], score: index });
      if (index % 4 === 3) await dossier.delete("crm/leads", ids[index - 2] ?? "");
      if (index === 5) await dossier.restore("crm/leads", ids[1] ?? "");
    }
    await dossier.addMany("crm/leads", [{ last_name: `${name}, many` }, { last_name: `${name}, more` }]);
    await dossier.bulkEdit("crm/leads", { ids: ids.slice(6) }, { score: 99 });
  }

  test("has 40 lines, and keeps a true copy while others write, over a restart and over a forgotten cursor", async () => {
    expect(inGuide().trimEnd().split("\n").length).toBeLessThanOrEqual(40);
    writeFileSync(path.join(installed.folder, "sync.mjs"), inGuide());
    await write("Before");
    const running = sync();
    await Promise.all(["Anna", "Ben", "Chi"].map(write));
    const expected = await truth();
    await expect
      .poll(() =>
        Promise.resolve()
          .then(copy)
          .catch(() => undefined),
      )
      .toEqual(expected);
    running.stop();
    expect(await running.ended).toEqual({ status: 0, said: "" });

    await write("While away");
    expect(await sync({ ONCE: "1" }).ended).toEqual({ status: 0, said: "" });
    expect(copy()).toEqual(await truth());

    const [victim = ""] = Object.keys(copy() as object);
    await dossier.delete("crm/leads", victim);
    await service.post(`/crm/leads/purge.json?id=${victim}&is_confirm=1`, {}, key);
    await publishAllEvents(service.db);
    await service.db.run(sql`update core__events set at = at - interval '40 days'`);
    await forgetEvents(service.db, 30);
    expect(await sync({ ONCE: "1" }).ended).toEqual({ status: 0, said: "" });
    expect(copy()).toEqual(await truth());
    expect(copy()).not.toHaveProperty(victim);
  });
});

describe("dossier types", () => {
  const program = `
import { connect } from "@dossier/client";
import type { RecordTypes } from "./record-types.ts";

const dossier = connect<RecordTypes>({ url: "http://127.0.0.1", key: "" });
export async function use(): Promise<void> {
  const part = await dossier.read("crm/parts", "1");
  const state: "open" | 'a "quoted" one' | null = part.state;
  const name: string | null = part.name;
  const id: string = part.id;
  // @ts-expect-error: no such field
  part.nothing;
  // @ts-expect-error: no such type
  await dossier.read("crm/nothing", "1");
  await dossier.save("crm/parts", { id, name, state, size: 3, colors: ["red"], drawing: new Blob([]) });
  // @ts-expect-error: no such choice
  await dossier.save("crm/parts", { state: "closed" });
  // @ts-expect-error: no such choice among several
  await dossier.save("crm/parts", { colors: ["green"] });
  const city: string | null | undefined = part.place?.city;
  for await (const row of dossier.list("crm/parts", { fields: ["state", "lead_id.status", "place"], where: { size: 1 } })) {
    const listed: typeof state = row.state;
    const status: "new" | "contacted" | "qualified" | "converted" | "unqualified" | null = row["lead_id.status"];
    const text: string | null = row.place;
    // @ts-expect-error: not asked for
    row.size;
    void [listed, status, text, city];
  }
  // @ts-expect-error: leads have no such field
  dossier.list("crm/parts", { fields: ["lead_id.nothing"] });
  await dossier.upsert("crm/parts", ["code", "name"], [{ code: "1" }]);
  // @ts-expect-error: no such key
  await dossier.upsert("crm/parts", "nothing", []);
  for await (const step of dossier.mirror("crm/parts", { fields: ["size"] })) if (step.kind === "put") step.record.size;
  const lead = await dossier.read("crm/leads", part.lead_id ?? "");
  lead.addresses[0]?.city;
  const untyped = connect({ url: "http://127.0.0.1", userName: "a", password: "b" });
  await untyped.save("any/type", { anything: [1, { at: null }] });
  for await (const row of untyped.list("any/type", { fields: ["a", "b.c"] })) row["b.c"];
}
`;

  test("are those of the service, the same from here and from elsewhere, sorted, and hold a program to them", async () => {
    const { folder } = installed;
    const noConfig = () => {
      throw new Error("elsewhere needs no settings");
    };
    const words = ["--url", service.url, "--out", path.join(folder, "record-types.ts")];
    await typesCommand(noConfig, { DOSSIER_KEY: key }, words);
    const types = readFileSync(path.join(folder, "record-types.ts"), "utf8");
    const keys = [...types.matchAll(/^ {2}"([^"]+)": \{$/gm)].map(([, name = ""]) => name);
    expect(keys).toContain("crm/parts");
    expect(keys).toEqual([...keys].sort());
    let here = "";
    const { host, port, user, password, database } = service.connection;
    const address = `postgres://${user}:${encodeURIComponent(String(password ?? ""))}@/${database}?host=${host}&port=${port}`;
    await typesCommand(
      () => readConfig({ DATABASE_URL: address, DATA_DIR: service.dataDir }),
      {},
      [],
      (text) => {
        here = text;
      },
    );
    expect(here).toBe(types);

    writeFileSync(path.join(folder, "program.ts"), program);
    const settings = {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
    };
    const modules = {
      module: "NodeNext",
      target: "ES2022",
      lib: ["ES2023", "DOM"],
      types: [],
      allowImportingTsExtensions: true,
    };
    const compilerOptions = { ...settings, ...modules, noEmit: true };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    expect(await runIn(folder, {}, tsc, "-p", ".").ended).toEqual({ status: 0, said: "" });
  });

  test("say what to do where they cannot be had", async () => {
    const types = (words: readonly string[], environment = {}) =>
      typesCommand(
        () => readConfig({}),
        environment,
        words,
        () => undefined,
      );
    await expect(types(["--url", service.url])).rejects.toThrow("Set DOSSIER_KEY");
    await expect(types(["--url", "nowhere"], { DOSSIER_KEY: key })).rejects.toThrow("not a valid address");
    await expect(types(["--url", service.url], { DOSSIER_KEY: "dk_no" })).rejects.toThrow("does not accept the key");
    await expect(types(["--url", "http://127.0.0.1:1"], { DOSSIER_KEY: key })).rejects.toThrow("cannot be reached");
    await expect(types(["--nothing"])).rejects.toThrow("Usage");
  });
});
