// A preview of a design that can be applied does all of it, and nothing stays: no record, number, event or mail. It keeps nobody waiting.
import { afterAll, beforeAll, expect, test } from "vitest";
import { SCHEMA_LOCK } from "../../../server/database/migrate.ts";
import { ident, sql } from "../../../server/database/sql.ts";
import { readStarter } from "../../../server/designs/starters.ts";
import { startService, type TestService } from "../../service.ts";

let service: TestService;
let admin: string;

const post = (operation: string, body: object) => service.post(`/metadata/designs/${operation}.json`, body, admin);

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  expect((await post("apply", { starter: "maintenance" })).body.errors).toEqual([]);
});
afterAll(() => service.stop());

const ORDERS = "record_types/maintenance.work_orders.json";
const THINGS = "record_types/half.things.json";
const things = {
  ...{ module: "half", controller: "things", label: "Thing", plural: "Things", displayField: "name" },
  fields: [{ name: "name", type: "short-text" }],
  access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
};

const WHOLE = [
  ...["sites", "assets", "work_orders", "part_lines", "inspections"].map((name) => `maintenance__${name}`),
  ...["record_types", "state", "design_applies"].map((name) => `metadata__${name}`),
  ...["revisions", "stage_log", "forms", "workflows", "notifications"].map((name) => `core__${name}`),
  ...["roles", "audit_events"].map((name) => `access_controls__${name}`),
];

/** All that a design brings along. A number that nobody has taken is none; mails and events are only counted, they are on their way. */
const stored = async () => {
  const found: Record<string, unknown> = {
    numbers: await service.db.rows(sql`select * from core__auto_numbers where last_value > 0 order by 1, 2, 3`),
    mails: await service.db.row(sql`select count(*)::text as count from core__mails`),
    events: await service.db.row(sql`
      select ((select count(*) from core__events) + (select count(*) from core__pending_events))::text as count`),
    tables: await service.db.rows(sql`select relname from pg_class where relkind = 'r' order by 1`),
  };
  for (const name of WHOLE)
    found[name] = await service.db.rows(sql`select t::text as row from ${ident(name)} t order by 1`);
  return found;
};

/** Tables and fields, records with numbers, steps, people who are told: all that a design can bring. */
const good = async (): Promise<string> => {
  const starter = await readStarter("maintenance");
  const { files, ...rest } = JSON.parse(
    (await service.get("/metadata/designs/export.json?modules=maintenance", admin)).body.data.design,
  );
  for (const { kind, key, content } of starter?.items ?? [])
    if (kind === "records") files[`records/${key.replace("/", ".")}.json`] = content;
  files[ORDERS].fields.push({ name: "remarks", type: "long-text" });
  files[THINGS] = { ...things, businessKey: { digits: 3, prefix: "TH-" } };
  files["records/half.things.json"] = { record_type: "half/things", records: [{ id: "one", name: "One" }] };
  return JSON.stringify({ ...rest, files });
};

test("a preview of what can be applied leaves no trace", async () => {
  const design = await good();
  const before = await stored();
  expect(before.numbers).not.toEqual([]);
  const planned = await post("plan", { design });
  expect([planned.body.errors, planned.status]).toEqual([[], 200]);
  expect(planned.body.data.plan.items.filter(({ action }: { action: string }) => action !== "unchanged")).not.toEqual(
    [],
  );
  expect(await stored()).toEqual(before);
});

test("a preview whose tables somebody has for long is refused, and nobody waits behind it", async () => {
  const design = await good();
  await service.db.session(async (session) => {
    await session.script("begin; lock table maintenance__work_orders in row exclusive mode");
    const planned = await post("plan", { design });
    expect([planned.status, planned.body.errors]).toEqual([409, [expect.stringContaining("in use")]]);
    await session.rollback();
  });
  expect((await post("plan", { design })).status).toBe(200);
});

test("previews are made one after the other", async () => {
  const design = await good();
  const busy: number[] = [];
  const ended = Promise.all(Array.from({ length: 4 }, () => post("plan", { design }))).then((all) => {
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    return true;
  });
  const waitsForLock = sql`
    select count(*)::text as count from pg_locks
    where locktype = 'advisory' and objid::bigint = ${SCHEMA_LOCK}::bigint
      and database = (select oid from pg_database where datname = current_database())`;
  while (
    !(await Promise.race([ended, service.db.row(waitsForLock).then((row) => void busy.push(Number(row?.count)))]))
  );
  expect(Math.max(...busy)).toBe(1);
});
