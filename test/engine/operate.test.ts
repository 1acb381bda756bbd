// What whoever runs the service does from the machine: users without signing in, and the check-up, each against a real database.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { doctorCommand } from "../../server/commands/doctor.ts";
import { userCommand } from "../../server/commands/user.ts";
import { readConfig } from "../../server/config.ts";
import { sql } from "../../server/database/sql.ts";
import { judgeClock } from "../../server/doctor/check-database.ts";
import { checkNode, checkSettings, judgeDisk } from "../../server/doctor/check-machine.ts";
import { judgeBackups, judgeQueues } from "../../server/doctor/check-queues.ts";
import { exitCodeOf, type Finding } from "../../server/doctor/finding.ts";
import { checkService } from "../../server/doctor/run-checks.ts";
import { addUser, promote, resetPassword } from "../../server/identity/manage-users.ts";
import { readSnapshot } from "../../server/metadata/store.ts";
import { builtInTypes } from "../../server/modules/index.ts";
import { testConfig } from "../config.ts";
import { startService, type TestService } from "../service.ts";
import { urlOf } from "./real-process.ts";

let service: TestService;
const folder = mkdtempSync(path.join(tmpdir(), "dossier-operate-"));
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const config = () => testConfig(service.dataDir);
const find = (findings: readonly Finding[], about: string, words: string | RegExp): Finding[] =>
  findings.filter(
    (one) =>
      one.about === about && (typeof words === "string" ? one.sentence.includes(words) : words.test(one.sentence)),
  );

test("a user is added, given a new password and made an administrator, each written down", async () => {
  const { db } = service;
  const snapshot = await readSnapshot(db, builtInTypes);
  const password = await addUser(db, snapshot, { userName: "Grace", lastName: "Hopper" });
  const token = await service.login("grace", password);
  const me = async (with_: string) => (await service.get("/access_controls/users/index.json", with_)).status;
  expect(await me(token)).toBe(200);
  await expect(addUser(db, snapshot, { userName: "grace", lastName: "Again" })).rejects.toThrow("is taken");
  await expect(addUser(db, snapshot, { userName: "x", lastName: "Short" })).rejects.toThrow("no user name");
  await expect(addUser(db, snapshot, { userName: "other", lastName: "O", role: "king" })).rejects.toThrow(
    /There is no role king\. There are: .*administrator/,
  );
  await expect(addUser(db, snapshot, { userName: "other", lastName: "O", organization: "Nowhere" })).rejects.toThrow(
    "There is no organization Nowhere.",
  );

  const audited = () => service.get("/access_controls/audit_events/index.json?limit=50", token);
  expect((await audited()).body.paginate?.data ?? []).toEqual([]);
  expect(await promote(db, snapshot, "grace")).toBe(true);
  expect(await promote(db, snapshot, "GRACE")).toBe(false);
  await expect.poll(async () => JSON.stringify((await audited()).body)).toContain("user_added");

  const next = await resetPassword(db, snapshot, "grace", { secondFactor: true });
  expect(next).not.toBe(password);
  expect(await me(token)).toBe(401);
  await expect(service.login("grace", password)).rejects.toThrow();
  const again = await service.login("grace", next);
  const { body } = await service.get("/access_controls/audit_events/index.json?limit=50", again);
  for (const event of ["user_added", "role_assigned", "password_reset", "mfa_reset"])
    expect(JSON.stringify(body)).toContain(event);
  expect(JSON.stringify(body)).not.toContain(next);
  await expect(resetPassword(db, snapshot, "nobody", { secondFactor: false })).rejects.toThrow(
    "There is no user nobody.",
  );
});

test("a check-up of a running service finds nothing but what the suite turns off, and changes nothing", async () => {
  const findings = await checkService(service.db, config());
  expect(find(findings, "Schema", "Up to date")).toHaveLength(1);
  expect(find(findings, "Processes", "1 running, with the same secret")).toHaveLength(1);
  expect(find(findings, "Indexes", "All are there and valid")).toHaveLength(1);
  expect(find(findings, "Clock", /^The database's clock/)[0]?.level).toBe("fine");
  const elsewhere = await checkService(service.db, testConfig(service.dataDir, { TOKEN_SECRET: "x".repeat(40) }));
  expect(find(elsewhere, "Processes", "signs with another secret")).toMatchObject([{ level: "error" }]);
});

test("an index that is gone or half built is told with the statement that helps", async () => {
  const { db } = service;
  const index = await db.row(sql`
    select indexname as name from pg_indexes where tablename = 'crm__leads' and indexname like '%\_\_%' and indexdef not like '%UNIQUE%'
    order by indexname limit 1`);
  await db.script(`drop index "${index?.name}"`);
  const [told] = find(await checkService(db, config()), "Indexes", `${index?.name} is missing`);
  const statement = /Run: (create .*)$/s.exec(told?.sentence ?? "")?.[1] ?? "";
  await db.script(statement);
  await db.script("create table lab (x integer)");
  await db.script("insert into lab values (1), (1)");
  await expect(db.script("create unique index concurrently lab_x on lab (x)")).rejects.toThrow();
  const [half] = find(await checkService(db, config()), "Indexes", "lab_x was left half built");
  await db.script(/Run: (drop .*)$/.exec(half?.sentence ?? "")?.[1] ?? "");
  await db.script("drop table lab");
  expect(find(await checkService(db, config()), "Indexes", "All are there")).toHaveLength(1);
});

test("the commands read the service's settings, say what they found and end with a code", async () => {
  const lines: string[] = [];
  const out = (line: string) => void lines.push(line);
  const source = {
    DATABASE_URL: urlOf(service.connection),
    DATA_DIR: service.dataDir,
    TOKEN_SECRET: config().tokenSecret,
  };
  // The suite's own database keeps nothing after a power failure.
  expect(await doctorCommand(source, ["--quiet"], out)).toBe(2);
  expect(lines).toContainEqual(
    expect.stringMatching(/^ERROR {3}PostgreSQL +fsync is off: a crash loses what people saved/),
  );
  expect(lines.filter((line) => line.startsWith("ok"))).toEqual([]);
  for (const [environment, words] of [
    [{ ...source, PORT: "many" }, /^ERROR {3}Settings .*PORT/s],
    [
      { ...source, DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" },
      /^ERROR {3}Database +The database cannot be reached/,
    ],
  ] as const) {
    lines.length = 0;
    expect(await doctorCommand(environment, [], out)).toBe(2);
    expect(lines).toContainEqual(expect.stringMatching(words));
  }
  await expect(doctorCommand(source, ["--loud"], out)).rejects.toThrow("There is no option --loud.");

  lines.length = 0;
  const settings = readConfig(source);
  await userCommand(settings, ["add", "joan", "--last-name", "Clarke", "--role", "administrator"], out);
  const password = /Password {2}(\S+)/.exec(lines.join("\n"))?.[1] ?? "";
  expect(await service.login("joan", password)).toEqual(expect.any(String));
  await userCommand(settings, ["promote", "joan"], out);
  expect(lines.at(-1)).toBe("joan is an administrator already.");
  for (const words of [[], ["add"], ["remove", "joan"], ["add", "joan", "twice"], ["add", "--color", "red"]])
    await expect(userCommand(settings, words, out)).rejects.toThrow("Usage: dossier user add NAME");
});

test("a database of a newer version is told, and nothing else of it is judged", async () => {
  const { db } = service;
  await db.run(sql`insert into dossier_migrations (number, name, fingerprint) values (9999, 'later', '')`);
  const findings = await checkService(db, config());
  await db.run(sql`delete from dossier_migrations where number = 9999`);
  expect(find(findings, "Schema", /upgraded by a newer Dossier \(.*migration 9999\)/)).toMatchObject([
    { level: "error" },
  ]);
  expect(findings.some(({ about }) => about === "Indexes")).toBe(false);
});

test("settings, Node.js, disk, clock and queues are judged, each with what to do", () => {
  const said = (environment: Record<string, string>) =>
    checkSettings(testConfig(folder, environment), environment).map(({ sentence }) => sentence);
  const sound = { RATE_LIMIT: "600", SMTP_URL: "smtp://mail.example", PUBLIC_URL: "http://dossier.example" };
  expect(said(sound)).toEqual(["All settings are valid."]);
  for (const [environment, words] of [
    [{ MAIL_PER_HOURS: "5" }, "MAIL_PER_HOURS is not a setting"],
    [{ TOKEN_SECRET: "" }, "TOKEN_SECRET is not set"],
    [{ RATE_LIMIT: "0" }, "RATE_LIMIT is 0"],
    [{ SMTP_URL: "" }, "SMTP_URL is not set"],
    [{ PUBLIC_URL: "", HOST: "0.0.0.0" }, "PUBLIC_URL is not set"],
    [{ PUBLIC_URL: "https://dossier.example" }, "Set TRUST_PROXY=1"],
  ] as const)
    expect(said({ ...sound, ...environment })).toEqual([expect.stringContaining(words)]);

  const GIB = 1024 ** 3;
  const levels = [
    ...["20.18.0", "20.19.0", "23.1.0", "24.0.0"].map((version) => checkNode(version).level),
    ...[0.1, 3, 50].map((free) => judgeDisk("/data", "files", free * GIB, 100 * GIB).level),
    ...[-40, 3, 0.2].map((seconds) => judgeClock(seconds).level),
  ];
  expect(levels).toEqual([
    "error",
    "warning",
    "warning",
    "fine",
    "error",
    "warning",
    "fine",
    "error",
    "warning",
    "fine",
  ]);
  const quiet = {
    jobs: { waiting: 2, failing: 0, oldestSeconds: 5 },
    mail: { waiting: 1, held: 0, oldestSeconds: 60 },
  };
  expect(judgeQueues(quiet, 0)).toMatchObject([{ level: "fine" }]);
  const loud = {
    jobs: { waiting: 2, failing: 1, oldestSeconds: 900 },
    mail: { waiting: 9, held: 3, oldestSeconds: 9_000 },
  };
  expect(judgeQueues(loud, 4).map(({ level }) => level)).toEqual(Array(5).fill("warning"));
  const day = { folder: "/backups", everySeconds: 86_400, keep: 7 };
  const none = { succeeded: undefined, seconds: undefined, bytes: undefined, failure: undefined };
  const backups = [
    judgeBackups(none, undefined, 0),
    judgeBackups(none, day, 0),
    judgeBackups({ ...none, succeeded: 0 }, day, 7_200),
    judgeBackups({ ...none, succeeded: 0 }, day, 3 * 86_400),
    // Every ten minutes, and none for 25.
    judgeBackups({ ...none, succeeded: 0 }, { ...day, everySeconds: 600 }, 1_500),
    judgeBackups({ ...none, failure: "The disk is full." }, day, 0),
  ];
  expect(backups.flat().map(({ level }) => level)).toEqual([
    "warning",
    "warning",
    "fine",
    "warning",
    "warning",
    "error",
  ]);
  expect([[], judgeQueues(loud, 0), [judgeClock(40)]].map(exitCodeOf)).toEqual([0, 1, 2]);
});
