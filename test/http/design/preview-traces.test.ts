// A preview of a design that can be applied does all of it, and nothing stays: no record, number, event or mail. It keeps nobody waiting.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Caller } from "../../../server/access/caller.ts";
import { readPerson } from "../../../server/access/read-caller.ts";
import { recordHooks } from "../../../server/controllers/hooks.ts";
import { withGuardAndAudit } from "../../../server/controllers/metadata/audit-design.ts";
import { usesFor } from "../../../server/controllers/metadata/field-uses.ts";
import { openDatabase } from "../../../server/database/database.ts";
import { PREVIEW_LOCK } from "../../../server/database/locks.ts";
import { SCHEMA_LOCK, withSchemaLock } from "../../../server/database/migrate.ts";
import { giveTime, openScope, within } from "../../../server/database/scope.ts";
import { ident, sql } from "../../../server/database/sql.ts";
import type { ReadUses } from "../../../server/designs/affected-uses.ts";
import { applyDesign, previewDesign } from "../../../server/designs/apply-design.ts";
import type { DesignItem } from "../../../server/designs/design.ts";
import { readStarter } from "../../../server/designs/starters.ts";
import { openMetadata } from "../../../server/metadata/store.ts";
import { builtInTypes } from "../../../server/modules/index.ts";
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

test("a preview beside a change of the design that takes long is refused", async () => {
  const design = await good();
  await withSchemaLock(service.db, async () => {
    const planned = await post("plan", { design });
    expect([planned.status, planned.body.errors]).toEqual([409, [expect.stringContaining("in use")]]);
  });
  expect((await post("plan", { design })).status).toBe(200);
});

test("a preview leaves its connection as it was, also when it is refused", async () => {
  const own = openDatabase(service.connection);
  try {
    const { rehearse } = await openMetadata(own, builtInTypes);
    const lockTimeout = async () => {
      const rows = await own.session(async (session) => (await session.run(sql`show lock_timeout`)).rows);
      // There is no other connection than the one that previewed.
      expect(own.use().background).toMatchObject({ open: 1, busy: 0 });
      return rows;
    };
    await withSchemaLock(service.db, () =>
      expect(rehearse(async () => undefined)).rejects.toMatchObject({ code: "conflict" }),
    );
    expect(await lockTimeout()).toEqual([["0"]]);
    await rehearse(async ({ transaction }) => {
      expect((await transaction.run(sql`show lock_timeout`)).rows).toEqual([["200ms"]]);
    });
    expect(await lockTimeout()).toEqual([["0"]]);
  } finally {
    await own.close();
  }
});

test("a preview of a conversion of very many rows says what applying it does, and changes nothing", async () => {
  const MANY = 10_050;
  const fields = [
    { name: "name", type: "short-text" },
    { name: "size", type: "short-text" },
    { name: "code", type: "short-text" },
    { name: "kind", type: "short-text" },
  ];
  const crates = { ...things, controller: "crates", label: "Crate", plural: "Crates", fields };
  const designOf = (types: Readonly<Record<string, string>>, more: object = {}) => {
    const converted = fields.map((one) => ({ ...one, type: types[one.name] ?? one.type }));
    const files = { "record_types/half.crates.json": { ...crates, fields: converted, ...more } };
    const design = JSON.stringify({ format: "dossier-design", version: 1, name: "Crates", files });
    return { design, allow_loss: "1" };
  };
  expect((await post("apply", designOf({}))).body.errors).toEqual([]);
  await service.db.run(sql`
    insert into half__crates (organization_id, acl_id, name, size, code, kind)
    select 1, 1, 'Crate ' || n, (n % 100)::text, n::text, '2026-01-01' from generate_series(1, ${MANY}::integer) n`);
  const rows = () =>
    service.db.rows(sql`
      select attname, format_type(atttypid, atttypmod) as type, (
        select md5(string_agg(t::text, '' order by id)) from half__crates t) as rows
      from pg_attribute where attrelid = 'half__crates'::regclass and attnum > 0 and not attisdropped order by attnum`);
  const foreseen = async (sent: object) => {
    const before = [await rows(), await stored()];
    const planned = await post("plan", sent);
    expect([await rows(), await stored()]).toEqual(before);
    return planned;
  };
  // What does not fit is refused in the same words.
  const change = (text: string) => service.db.run(sql`update half__crates set size = ${text} where name = 'Crate 7'`);
  await change("large");
  const refused = await foreseen(designOf({ size: "integer" }));
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    expect.arrayContaining([expect.stringContaining("1 of")]),
  ]);
  const alike = await post("apply", designOf({ size: "integer" }));
  expect([alike.status, alike.body.errors]).toEqual([refused.status, refused.body.errors]);
  await change("7");
  // Two that were different are the same now, and must not be.
  await service.db.run(sql`update half__crates set code = '08' where name = 'Crate 7'`);
  const unique = designOf({ code: "integer" }, { unique: [["code"]] });
  const double = await foreseen(unique);
  const twice = await post("apply", unique);
  expect([double.status, double.body.errors]).toEqual([twice.status, twice.body.errors]);
  expect(twice.status).not.toBe(200);
  await service.db.run(sql`update half__crates set code = '7' where name = 'Crate 7'`);
  const whole = designOf({ size: "integer", code: "integer", kind: "date" }, { unique: [["code"]] });
  const good = await foreseen(whole);
  const done = await post("apply", whole);
  expect([good.status, good.body.errors, done.status, done.body.errors]).toEqual([200, [], 200, []]);
  expect(good.body.data.plan.items).not.toEqual([]);
  expect(done.body.data.plan.items).toEqual(good.body.data.plan.items);
  const sum = await service.db.row(sql`
    select sum(code)::text as codes, count(kind)::text as kinds, min(kind)::text as kind from half__crates`);
  expect(sum).toEqual({ codes: String((MANY * (MANY + 1)) / 2), kinds: String(MANY), kind: "2026-01-01" });
});

test("a preview of a conversion ends after its time, and one of unique values knows what becomes empty", async () => {
  const MANY = 10_050;
  const codes = (type: string, unique: object = {}) => ({
    ...{ ...things, controller: "codes", label: "Code", plural: "Codes" },
    fields: [...things.fields, { name: "code", type }],
    ...unique,
  });
  const own = openDatabase(service.connection);
  try {
    const metadata = await openMetadata(own, builtInTypes, undefined, { lookMs: 0 });
    await metadata.save({ definition: codes("long-text") });
    // Written elsewhere: the service keeps no text that is blank.
    await own.run(sql`
      insert into half__codes (organization_id, acl_id, name, code)
      select 1, 1, 'Code ' || n, case when n > 3 then n::text else '  ' end from generate_series(1, ${MANY}::integer) n`);
    // What is deleted is in nobody's way.
    await own.run(sql`
      insert into half__codes (organization_id, acl_id, name, code, deleted) select 1, 1, 'Deleted', '4', 1`);
    const short = { definition: codes("short-text", { unique: [["code"]] }), convert: ["code"] };
    const late = "Checking the values of Code takes longer than 0 seconds";
    await expect(metadata.rehearse(({ save }) => save([short]))).rejects.toThrow(late);
    await expect(metadata.check(short)).rejects.toThrow(late);
    const patient = await openMetadata(own, builtInTypes);
    await patient.rehearse(({ save }) => save([short]));
    await patient.save(short);
    const left = await own.row(sql`select count(code)::text as count from half__codes where deleted = 0`);
    expect(left).toEqual({ count: String(MANY - 3) });
  } finally {
    await own.close();
  }
});

/** How many have or await an advisory lock of this database. */
const atLock = async (lock: number, granted: boolean): Promise<number> => {
  const row = await service.db.row(sql`
    select count(*)::text as count from pg_locks
    where locktype = 'advisory' and objid::bigint = ${lock}::bigint and granted = ${String(granted)}::boolean
      and database = (select oid from pg_database where datname = current_database())`);
  return Number(row?.count);
};

test("a preview waits for one that another process makes", async () => {
  const design = await good();
  const own = openDatabase(service.connection);
  try {
    const { rehearse } = await openMetadata(own, builtInTypes);
    const planning = await rehearse(async ({ transaction }) => {
      await transaction.script("lock table maintenance__work_orders in access exclusive mode");
      const answer = post("plan", { design });
      const refused = answer.then(({ body }) => expect(body.errors).toEqual(["only after this one"]));
      refused.catch(() => undefined);
      while ((await atLock(PREVIEW_LOCK, false)) === 0) await Promise.race([refused, undefined]);
      return { answer };
    });
    const planned = await planning.answer;
    expect([planned.status, planned.body.errors]).toEqual([200, []]);
    expect(await atLock(PREVIEW_LOCK, true)).toBe(0);
  } finally {
    await own.close();
  }
});

/** A type with two fields, and the design without one of them; `uses` is asked as the preview does it. */
async function withoutOld<T>(
  { controller, lookMs }: { readonly controller: string; readonly lookMs?: number },
  preview: (previewed: (uses: (real: ReadUses) => ReadUses) => ReturnType<typeof previewDesign>) => Promise<T>,
): Promise<T> {
  const own = openDatabase(service.connection);
  try {
    const metadata = await openMetadata(own, builtInTypes, undefined, lookMs === undefined ? {} : { lookMs });
    const caller = (await readPerson(own, "1", "1")) as Caller;
    const by = { organizationId: "1", userId: "1", userName: "" };
    const along = withGuardAndAudit(by, metadata.current(), { alone: false });
    const content = { ...things, controller };
    const item = (fields: readonly object[]) => ({
      ...{ name: "Gone", description: "" },
      items: [{ kind: "record_types", key: `half/${controller}`, content: { ...content, fields } } as DesignItem],
    });
    const [name, old] = [
      { name: "name", type: "short-text" },
      { name: "old", type: "short-text" },
    ];
    const designer = { database: own, metadata, hooks: recordHooks, caller, along, uses: usesFor(caller) };
    await applyDesign(designer, item([name, old]));
    return await preview((uses) => previewDesign({ ...designer, uses: uses(designer.uses) }, item([name])));
  } finally {
    await own.close();
  }
}

test("a preview looks for what other organizations have once nobody waits for it, and for what its own has until its time is over", async () => {
  const asked: unknown[] = [];
  // Its time is over when it begins.
  const plan = await withoutOld({ controller: "gone", lookMs: -1 }, (previewed) =>
    previewed((real) => async (question) => {
      const found = await real(question);
      asked.push([question.whose, await atLock(SCHEMA_LOCK, true), found.isComplete]);
      return found;
    }),
  );
  expect(plan).toMatchObject({ uses: [], uses_complete: 0 });
  expect(asked).toEqual([
    ["own", 1, false],
    ["others", 0, true],
  ]);
});

test("a preview has others wait for a moment only while it looks for what its own organization has", async () => {
  let left = Number.POSITIVE_INFINITY;
  await withoutOld({ controller: "brief" }, (previewed) =>
    previewed((real) => (question) => {
      if (question.whose === "own") left = (question.until ?? left) - performance.now();
      return real(question);
    }),
  );
  expect(left).toBeLessThanOrEqual(2_000);
});

test("a preview whose request has used up its time looks for what other organizations have all the same", async () => {
  const scope = openScope("1");
  giveTime(scope, 60_000);
  const plan = await withoutOld({ controller: "patient" }, (previewed) =>
    within(scope, () =>
      previewed((real) => (question) => {
        scope.deadline = 0;
        return real(question);
      }),
    ),
  );
  expect(plan).toMatchObject({ uses: [], uses_complete: 1 });
});

test("a change of the design takes none of its request's time: who asked for it is told what became of it", async () => {
  const own = openDatabase(service.db.connection);
  try {
    const metadata = await openMetadata(own, builtInTypes);
    const scope = openScope("1");
    giveTime(scope, 60_000);
    const { deadline } = scope;
    await within(scope, () => metadata.design(({ transaction }) => transaction.run(sql`select pg_sleep(0.01)`)));
    expect(scope.deadline - deadline).toBeGreaterThan(9);
  } finally {
    await own.close();
  }
});

test("a preview tells what it has where a look for uses takes too long", async () => {
  const cut = "do $$ begin raise exception using errcode = '57014'; end $$";
  for (const whose of ["own", "others"]) {
    const plan = await withoutOld({ controller: `cut_${whose}` }, (previewed) =>
      previewed((real) => async (question) => {
        if (question.whose === whose) await question.db.script(cut);
        return real(question);
      }),
    );
    expect(plan).toMatchObject({ items: [{ action: "change" }], uses: [], uses_complete: 0 });
  }
});

test("a preview of what takes too long says what to do", async () => {
  const own = openDatabase(service.connection);
  try {
    const { rehearse } = await openMetadata(own, builtInTypes);
    const cut = "do $$ begin raise exception using errcode = '57014'; end $$";
    await expect(rehearse(({ transaction }) => transaction.script(cut))).rejects.toThrow("dossier design apply");
  } finally {
    await own.close();
  }
});

test("a preview that waits too long for another one says so", async () => {
  const own = openDatabase(service.connection);
  try {
    const [first, second] = [
      await openMetadata(own, builtInTypes),
      await openMetadata(own, builtInTypes, undefined, { turnMs: 50 }),
    ];
    await first.rehearse(() =>
      expect(second.rehearse(async () => undefined)).rejects.toThrow("Another preview is still running"),
    );
    await second.rehearse(async () => undefined);
  } finally {
    await own.close();
  }
});

test("a preview that has to give way to somebody who waits for it is made again", async () => {
  const own = openDatabase(service.connection);
  try {
    const { rehearse } = await openMetadata(own, builtInTypes);
    let tries = 0;
    await rehearse(async ({ transaction }) => {
      tries += 1;
      // As PostgreSQL says it to the one that it chooses.
      if (tries === 1) await transaction.script("do $$ begin raise exception using errcode = '40P01'; end $$");
    });
    expect(tries).toBe(2);
  } finally {
    await own.close();
  }
});

test("a preview that is made again waits for its turn anew, however long the first try took", async () => {
  const own = openDatabase(service.connection);
  let late = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + late);
  try {
    const { rehearse } = await openMetadata(own, builtInTypes);
    let [tries, isOver] = [0, false];
    let other: Promise<void> | undefined;
    const made = rehearse(async ({ transaction }) => {
      tries += 1;
      if (tries > 1) return;
      // Another process has its turn next, until this preview waits for it.
      other = own.session(async (session) => {
        await session.run(sql`select pg_advisory_lock(${PREVIEW_LOCK})`);
        while (!isOver && (await atLock(PREVIEW_LOCK, false)) === 0);
      });
      while ((await atLock(PREVIEW_LOCK, false)) === 0);
      late = 60_000;
      await transaction.script("do $$ begin raise exception using errcode = '40P01'; end $$");
    });
    const outcome = await made.then(
      () => "made",
      (error: unknown) => String(error),
    );
    isOver = true;
    await other;
    expect([outcome, tries]).toEqual(["made", 2]);
  } finally {
    clock.mockRestore();
    await own.close();
  }
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
