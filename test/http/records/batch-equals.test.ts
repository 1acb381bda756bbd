// Records that are saved in one pass come out as if each had been saved by itself: the same rows, children, history, stage
// log, notifications, counts, access and refusals, whatever is sent for whatever is stored.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../../../server/access/caller.ts";
import { grantWithin, grantWrite } from "../../../server/access/grant.ts";
import { recordHooks } from "../../../server/controllers/hooks.ts";
import type { Queryable } from "../../../server/database/database.ts";
import { sql } from "../../../server/database/sql.ts";
import type { RecordTypeDefinition } from "../../../server/metadata/record-type.ts";
import { buildSnapshot, requireType } from "../../../server/metadata/snapshot.ts";
import { builtInTypes } from "../../../server/modules/index.ts";
import { planSave, type SentRecord } from "../../../server/plan/plan-write.ts";
import type { Work } from "../../../server/records/hooks.ts";
import { saveRecord, saveRecords } from "../../../server/records/save/save-records.ts";
import type { Tree } from "../../../server/request/tree.ts";
import { runs } from "../../runs.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, type Person } from "../people.ts";
import { counted, idsOf, observe as observeAt, oneByOne, personOf, type Scenario, told } from "./both-ways.ts";

const TASKS = "lab/tasks";
const tasks: RecordTypeDefinition = {
  module: "lab",
  controller: "tasks",
  label: "Task",
  plural: "Tasks",
  displayField: "title",
  businessKey: { prefix: "T-", digits: 4 },
  fields: [
    { name: "title", type: "short-text", required: true },
    { name: "code", type: "short-text", unique: true },
    { name: "email", type: "email" },
    {
      name: "phase",
      type: "choice",
      settings: { options: ["open", "busy", "closed"].map((value) => ({ value, label: value })) },
    },
    { name: "points", type: "integer", initial: "3" },
    { name: "note", type: "short-text" },
    { name: "shown", type: "short-text", permission: 4 },
    { name: "owner_note", type: "short-text" },
  ],
  duplicates: [["email"]],
  associations: [{ kind: "has-many-polymorphic", name: "addresses", type: "core/addresses" }],
  access: {
    read: ["owner", "primary_group", "role:sales_manager"],
    edit: ["owner", "role:sales_manager"],
    delete: ["role:sales_manager"],
    comment: ["owner"],
  },
};

/** Nobody can fill in what its records need. */
const seals: RecordTypeDefinition = {
  module: "lab",
  controller: "seals",
  label: "Seal",
  plural: "Seals",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text" },
    { name: "stamp", type: "short-text", required: true, permission: 4 },
  ],
  access: { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] },
};

/** Managers are told of every new task; a task that is busy keeps its points. */
const workflow = {
  stage_field: "phase",
  stages: [
    {
      key: "open",
      name: "Open",
      kind: "start",
      value: "open",
      actors: ["role:sales_manager"],
      enter: [{ set: { owner_note: '"set"' } }],
    },
    { key: "busy", name: "Busy", value: "busy", actors: ["owner"], fixed: ["points"], grants: ["read", "edit"] },
    { key: "closed", name: "Closed", kind: "end", value: "closed" },
  ],
  transitions: [
    { name: "begin", label: "Begin", from: "open", to: "busy" },
    { name: "close", label: "Close", from: "busy", to: "closed", by: ["owner"], required: ["note"] },
  ],
};

/** Of the design, as the database has it too: what is saved here goes past the service. */
const VERSION = "1000";
const snapshot = buildSnapshot(builtInTypes, [tasks, seals], VERSION);
const type = requireType(snapshot, TASKS);
let service: TestService;
let admin: string;
const people: Record<string, Person> = {};
let group: string;

const post = (path: string, body: unknown) => service.post(path, body, admin);
const save = (key: string, values: Record<string, unknown>) =>
  post(`/${key}/add.json`, { data: { [key.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } } });

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  for (const definition of [tasks, seals]) {
    const made = await post("/metadata/record_types/save.json", { definition: JSON.stringify(definition) });
    expect(made.body.errors).toEqual([]);
  }
  await service.db.run(sql`
    insert into access_controls__role_operations (organization_id, role_id, record_type, operations, owned_by, acl_id)
    select o.organization_id, o.role_id, ${TASKS}, o.operations, o.owned_by, o.acl_id
    from access_controls__role_operations o where o.organization_id = 1 and o.record_type = 'crm/leads'`);
  people.rep = await addPerson(service, "rep", ["sales_rep"]);
  people.manager = await addPerson(service, "manager", ["sales_manager"]);
  group = (await save("access_controls/groups", { name: "Team" })).body.id;
  const added = await save("core/workflows", {
    name: "Tasks",
    controller: TASKS,
    definition: JSON.stringify(workflow),
  });
  expect(added.body.errors).toEqual([]);
  await service.db.run(sql`update metadata__state set version = ${VERSION}::bigint`);
});
afterAll(() => service.stop());

const text = (...values: (string | null)[]) => fc.constantFrom(...values);
/** Sent in so many of ten records: most of what is sent is in order, and asks for no look of its own. */
const in10 = <T>(count: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: count, arbitrary }, { weight: 10 - count, arbitrary: fc.constant(undefined) });
const sent = fc.record({
  title: in10(4, text("One", "Two", "Three", "")),
  code: in10(3, text("a", "b", "a", "")),
  email: in10(3, text("a@example.com", "a@example.com", "b@example.com", "none")),
  phase: in10(2, text("open", "busy", "closed", "other")),
  points: in10(3, text("1", "2", "", "many")),
  note: in10(6, text("x", "y", "")),
  shown: in10(1, text("x", "")),
  owned_by: in10(4, text("rep", "manager", "rep", "manager", "999999")),
  primary_acl_group: in10(3, text("group", "")),
  unknown: in10(1, text("x")),
  addresses: in10(2, fc.constantFrom([{ address_line_1: "1 Road" }], [{ address_line_1: "1 Road" }, { city: "Ulm" }])),
  stage_log: in10(2, fc.constantFrom({ comment: "said" }, {})),
});
type Values = Partial<typeof sent extends fc.Arbitrary<infer T> ? T : never>;
const values = sent.map((one): Values => {
  const { title = "Some", ...rest } = one;
  return { title, ...rest };
});

/** As it is sent: people and the group by their ids. */
const sentOf = ({ owned_by: owner, primary_acl_group: team, ...rest }: Values): Tree =>
  ({
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(owner == null ? {} : { owned_by: people[owner]?.id ?? owner }),
    ...(team == null ? {} : { primary_acl_group: team === "group" ? group : "" }),
  }) as unknown as Tree;

/** How often a pass saved several records, and refused some, and how often somebody was told: a run that saw none proves nothing. */
const met = { saved: 0, refused: 0, told: 0 };

function note(outcome: readonly unknown[], state: readonly Readonly<Record<string, unknown>>[]): void {
  const saved = outcome.filter((one) => one === "saved").length;
  if (saved > 1) met.saved += 1;
  if (saved < outcome.length) met.refused += 1;
  if (state.filter((row) => row.told !== null).length > 1) met.told += 1;
}

const observe = (caller: Caller, run: typeof saveRecords, scenario: Scenario) =>
  observeAt({ db: service.db, snapshot, stateOf, note }, caller, run, scenario);

/** Everything that a save can have touched, by what it means: ids and numbers of a run aside. */
async function stateOf(db: Queryable, ids: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return db.rows(sql`
    select given.ord::text, t.title, t.code, t.email, t.phase, t.points::text, t.note, t.shown, t.owner_note, t.owned_by::text,
      t.primary_acl_group::text, t.revision::text, t.deleted::text, t.created_by::text, t.modified_by::text,
      t.workflow_version::text, w.key as stage, (t.stage_since is null)::text as nowhere, (t.business_key is null)::text as unnumbered,
      (select recipe from core__acl_sets s where s.organization_id = 1 and s.id = t.acl_id) as access,
      (select string_agg(concat_ws('|', a.address_line_1, a.city, a.owned_by, a.revision, a.deleted,
          (select recipe from core__acl_sets s where s.organization_id = 1 and s.id = a.acl_id)), ';' order by a.id)
        from core__addresses a where a.organization_id = 1 and a.related_type = ${TASKS} and a.related_id = t.id::text) as addresses,
      (select string_agg(concat_ws('|', r.number, r.operation, (r.changes - 'business_key')::text, r.created_by, r.job_id), ';' order by r.number, r.id)
        from core__revisions r where r.organization_id = 1 and r.related_type = ${TASKS} and r.related_id = t.id::text) as history,
      (select string_agg(concat_ws('|', s.step, f.key, g.key, s.action_name, s.comment, s.created_by, s.made_revision), ';' order by s.id)
        from core__stage_log s
        left join core__workflow_nodes f on f.organization_id = 1 and f.id = s.from_stage
        left join core__workflow_nodes g on g.organization_id = 1 and g.id = s.to_stage
        where s.organization_id = 1 and s.related_type = ${TASKS} and s.related_id = t.id::text) as log,
      (select string_agg(concat_ws('|', n.owned_by, n.kind, n.text, n.related_name), ';' order by n.id)
        from core__notifications n where n.organization_id = 1 and n.related_type = ${TASKS} and n.related_id = t.id::text) as told,
      (select string_agg(concat_ws('|', (c.before - 'acl_id' - 'modified' - 'stage_since')::text, c.before ->> 'modified' is null,
          c.before ->> 'stage_since' is null), ';' order by c.at, (c.before ->> 'revision')::bigint)
        from core__row_changes c where c.organization_id = 1 and c.record_type = ${TASKS} and c.record_id = t.id::text) as before
    from lab__tasks t
    join unnest(${ids}::bigint[]) with ordinality as given(id, ord) on given.id = t.id
    left join core__workflow_nodes w on w.organization_id = 1 and w.id = t.current_stage
    where t.organization_id = 1 order by given.ord`);
}

const callerOf = (name: string): Promise<Caller> => personOf(service.db, people[name]?.id ?? "");

const who = text("rep", "manager");

test("additions", async () => {
  await fc.assert(
    fc.asyncProperty(
      who,
      fc.array(values, { minLength: 2, maxLength: 5 }),
      fc.boolean(),
      async (name, given, override) => {
        const caller = await callerOf(name ?? "");
        const scenario: Scenario = async (work, run) => {
          const saving = {
            grant: grantWrite(caller, type, "add", recordHooks),
            operation: "add",
            overrideDuplicates: override,
          } as const;
          const saved = await run(
            work,
            saving,
            given.map((one) => ({ id: undefined, sent: sentOf(one) })),
          );
          return { ids: idsOf(saved), outcome: told(saved) };
        };
        expect(await observe(caller, saveRecords, scenario)).toEqual(await observe(caller, oneByOne, scenario));
      },
    ),
    { numRuns: runs(40) },
  );
  for (const times of Object.values(met)) expect(times).toBeGreaterThan(0);
});

const states = fc.record({
  values,
  gone: fc.constantFrom(false, false, false, true),
  missing: fc.constantFrom(false, false, false, true),
});
const edits = fc.record({
  own: fc.array(sent, { minLength: 5, maxLength: 5 }),
  forAll: fc.option(sent),
  revision: text("1", "1", "7", null),
});

test("edits", async () => {
  await fc.assert(
    fc.asyncProperty(
      who,
      who,
      fc.array(states, { minLength: 2, maxLength: 5 }),
      edits,
      fc.constantFrom("edit", "undo") as fc.Arbitrary<"edit" | "undo">,
      async (author, editor, stored, { own, forAll, revision }, operation) => {
        const [maker, caller] = [await callerOf(author ?? ""), await callerOf(editor ?? "")];
        const scenario: Scenario = async (work, run) => {
          const making = {
            grant: grantWrite(maker, type, "add", recordHooks),
            operation: "add",
            overrideDuplicates: true,
          } as const;
          const made = await oneByOne(
            { ...work, caller: maker },
            making,
            stored.map((one) => ({ id: undefined, sent: sentOf(one.values) })),
          );
          const ids: string[] = [];
          const rows: SentRecord[] = [];
          const shared = forAll && sentOf(forAll);
          for (const [index, one] of made.entries()) {
            if (!one || "failure" in one) continue;
            const { gone, missing } = stored[index] ?? {};
            ids.push(one.value);
            if (gone)
              await work.transaction.run(
                sql`update lab__tasks set deleted = 1 where organization_id = 1 and id = ${one.value}::bigint`,
              );
            const sent = shared ?? ({ ...sentOf(own[index] ?? {}), ...(revision == null ? {} : { revision }) } as Tree);
            rows.push({ id: missing ? "999999999" : one.value, sent });
          }
          // Made some time ago: whether the clock goes on between making and saving says nothing.
          await work.transaction.run(sql`
            update lab__tasks set modified = modified - interval '1 hour', stage_since = stage_since - interval '1 hour'
            where organization_id = 1 and id = any(${ids}::bigint[])`);
          const saving = { grant: grantWrite(caller, type, "edit", recordHooks), operation };
          const saved = await run(work, saving, rows);
          return { ids, outcome: told(saved) };
        };
        expect(await observe(caller, saveRecords, scenario)).toEqual(await observe(caller, oneByOne, scenario));
      },
    ),
    { numRuns: runs(40) },
  );
});

test("records that cannot be made by filling in a form", async () => {
  const caller = await callerOf("manager");
  const grant = grantWithin(caller, requireType(snapshot, "lab/seals"), "add", recordHooks);
  const scenario: Scenario = async (work, run) => {
    const rows = ["One", "Two"].map((name) => ({ id: undefined, sent: { name } as Tree }));
    return { ids: [], outcome: told(await run(work, { grant, operation: "add" }, rows)) };
  };
  const { outcome } = await observe(caller, saveRecords, scenario);
  expect(outcome).toEqual((await observe(caller, oneByOne, scenario)).outcome);
  expect(outcome).toEqual([0, 1].map(() => expect.objectContaining({ code: "operation_forbidden" })));
});

test("records that need no look of their own take no more statements when they are more", async () => {
  const caller = await callerOf("rep");
  const statements = async (count: number): Promise<number> => {
    let sentStatements = 0;
    await observe(caller, saveRecords, async (work, run) => {
      const grant = grantWrite(caller, type, "add", recordHooks);
      const rows = Array.from({ length: count }, (_, index) => ({
        id: undefined,
        sent: { title: `Task ${index}` } as Tree,
      }));
      const ids = idsOf(await oneByOne(work, { grant, operation: "add" }, rows));
      const counting = counted(work.transaction, () => {
        sentStatements += 1;
      });
      const editing = { grant: grantWrite(caller, type, "edit", recordHooks), operation: "edit" } as const;
      const edited = ids.map((id, index) => ({ id, sent: { note: `Note ${index}` } as Tree }));
      const saved = await run({ ...work, transaction: counting }, editing, edited);
      expect(told(saved)).toEqual(ids.map(() => "saved"));
      return { ids, outcome: [] };
    });
    return sentStatements;
  };
  expect(await statements(40)).toBe(await statements(2));
});

test("a lead with two children takes no more statements than it did", async () => {
  const caller = await callerOf("rep");
  const leads = requireType(snapshot, "crm/leads");
  const of = async (work: Work, operation: "add" | "edit", id: string | undefined, sent: unknown) => {
    let statements = 0;
    const counting = counted(work.transaction, () => {
      statements += 1;
    });
    const grant = grantWrite(caller, leads, operation, recordHooks);
    const plan = planSave(snapshot, grant, { id, sent: sent as Tree });
    const saved = await saveRecord({ ...work, transaction: counting }, { grant, operation }, plan);
    return { saved, statements };
  };
  const found: number[][] = [];
  // What is kept in memory is there once it was committed.
  for (const email of ["a@example.com", "b@example.com"]) {
    await service.db.transaction(async (transaction) => {
      const work: Work = { transaction, snapshot, caller, hooks: recordHooks, accessChanges: new Set() };
      const children = { addresses: [{ address_line_1: "1 Road" }], email_addresses: [{ email }] };
      const added = await of(work, "add", undefined, { last_name: "Able", ...children });
      const edited = await of(work, "edit", added.saved, { city: "Ulm" });
      const more = { addresses: [{ address_line_1: "2 Road" }, { address_line_1: "3 Road" }] };
      const grown = await of(work, "edit", added.saved, { city: "Bonn", ...more });
      found.push([added.statements, edited.statements, grown.statements]);
    });
  }
  // One of each reads the policies in force: what they grant by field and condition is part of the row. One compares the design.
  expect(found.at(-1)).toEqual([15, 6, 8]);
});
