// Many records that begin their workflow, or take a step in it, in one pass come out as if each had been saved by itself: stage,
// history, stage log, notifications, messages, access, counts, what rows were before, and refusals.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../../../server/access/caller.ts";
import { grantWrite } from "../../../server/access/grant.ts";
import { recordHooks } from "../../../server/controllers/hooks.ts";
import type { Queryable } from "../../../server/database/database.ts";
import { type Sql, sql } from "../../../server/database/sql.ts";
import type { RecordTypeDefinition } from "../../../server/metadata/record-type.ts";
import { buildSnapshot, requireType } from "../../../server/metadata/snapshot.ts";
import { builtInTypes } from "../../../server/modules/index.ts";
import type { Work } from "../../../server/records/hooks.ts";
import { saveRecords } from "../../../server/records/save/save-records.ts";
import type { Tree } from "../../../server/request/tree.ts";
import { runs } from "../../runs.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson } from "../people.ts";
import { counted, idsOf, observe, oneByOne, personOf, type Scenario, told } from "../records/both-ways.ts";

const ORDERS = "lab/orders";
const phases = ["draft", "open", "busy", "review", "closed", "filed"] as const;
const orders: RecordTypeDefinition = {
  module: "lab",
  controller: "orders",
  label: "Order",
  plural: "Orders",
  displayField: "title",
  fields: [
    { name: "title", type: "short-text", required: true },
    { name: "phase", type: "choice", settings: { options: phases.map((value) => ({ value, label: value })) } },
    { name: "points", type: "integer" },
    { name: "note", type: "short-text" },
    { name: "mail", type: "email" },
    { name: "reviewer_id", type: "reference", settings: { to: "access_controls/users" } },
    { name: "begun", type: "date-time" },
    { name: "unread", type: "short-text" },
  ],
  access: {
    read: ["owner", "primary_group", "role:sales_manager"],
    edit: ["owner", "role:sales_manager"],
    delete: ["role:sales_manager"],
    comment: ["owner"],
  },
};

const everybody = ["owner", "owner_manager", "role:sales_manager", "group:GROUP"];
const workflow = {
  stage_field: "phase",
  stages: [
    { key: "draft", name: "Draft", kind: "start", value: "draft" },
    { key: "open", name: "Open", value: "open", actors: ["role:sales_manager", "field:reviewer_id"] },
    {
      key: "busy",
      name: "Busy",
      value: "busy",
      actors: ["owner", "group:GROUP"],
      fixed: ["points"],
      enter: [{ set: { note: 'coalesce(note, "busy")' }, when: "[points] is empty" }],
    },
    { key: "review", name: "Review", value: "review", actors: ["owner", "role:sales_manager"] },
    { key: "closed", name: "Closed", kind: "end", value: "closed" },
    { key: "filed", name: "Filed", kind: "end", value: "filed" },
  ],
  transitions: [
    { name: "offer", label: "Offer", from: ["draft", "busy"], to: "open" },
    {
      name: "begin",
      label: "Begin",
      from: ["draft", "open"],
      to: "busy",
      by: everybody,
      effects: [
        { set: { begun: "now()" } },
        { notify: { to: ["owner", "role:sales_manager"], text: "{{title}} of {{owned_by}}: {{points}} {{note}}" } },
        {
          mail: { to: ["owner", "email:mail"], subject: "About {{title}}", text: "{{points}}" },
          when: "[points] is not empty",
        },
      ],
    },
    { name: "hand_in", label: "Hand in", from: "busy", to: "review", required: ["note"], condition: "[note] != 'x'" },
    { name: "approve", label: "Approve", kind: "approve", needs: "all", from: "review", to: "closed" },
    {
      name: "file",
      label: "File",
      from: ["open", "draft"],
      to: "filed",
      by: everybody,
      effects: [{ create: "crm/companies", as: "company", values: { name: "title" } }],
    },
  ],
};

/** Of the design, as the database has it too: what is saved here goes past the service. */
const VERSION = "1000";
const snapshot = buildSnapshot(builtInTypes, [orders], VERSION);
const type = requireType(snapshot, ORDERS);
let service: TestService;
const people: Record<string, string> = {};

beforeAll(async () => {
  service = await startService();
  const admin = await service.login();
  const save = async (key: string, values: Record<string, unknown>): Promise<string> => {
    const data = { [key.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } };
    const { body } = await service.post(`/${key}/add.json`, { data }, admin);
    expect(body.errors).toEqual([]);
    return body.id;
  };
  const made = await service.post("/metadata/record_types/save.json", { definition: JSON.stringify(orders) }, admin);
  expect(made.body.errors).toEqual([]);
  await service.db.run(sql`
    insert into access_controls__role_operations (organization_id, role_id, record_type, operations, owned_by, acl_id)
    select o.organization_id, o.role_id, ${ORDERS}, o.operations, o.owned_by, o.acl_id
    from access_controls__role_operations o where o.organization_id = 1 and o.record_type = 'crm/leads'`);
  for (const [name, role] of Object.entries({ rep: "sales_rep", other: "sales_rep", manager: "sales_manager" }))
    people[name] = (await addPerson(service, name, [role])).id;
  const group = await save("access_controls/groups", { name: "Team" });
  await service.db.run(sql`
    update access_controls__users set manager_id = ${people.manager ?? ""}::bigint
    where organization_id = 1 and id = ${people.rep ?? ""}::bigint`);
  await save("access_controls/group_members", { group_id: group, user_id: people.other });
  const definition = JSON.stringify(workflow).replaceAll("GROUP", group);
  await save("core/workflows", { name: "Orders", controller: ORDERS, definition });
  await service.db.run(sql`update metadata__state set version = ${VERSION}::bigint`);
});
afterAll(() => service.stop());

async function stateOf(db: Queryable, ids: readonly string[]) {
  const own = sql`x.organization_id = 1 and x.related_type = ${ORDERS} and x.related_id = t.id::text`;
  return db.rows(sql`
    select given.ord::text, t.title, t.phase, t.points::text, t.note, t.reviewer_id::text, (t.begun is null)::text as unbegun,
      t.owned_by::text, t.revision::text, t.deleted::text, t.modified_by::text, t.workflow_version::text, w.key as stage,
      (t.stage_since is null)::text as nowhere,
      (select recipe from core__acl_sets s where s.organization_id = 1 and s.id = t.acl_id) as access,
      (select string_agg(concat_ws('|', x.number, x.operation, (x.changes - 'begun')::text, x.changes ? 'begun', x.created_by), ';'
        order by x.number, x.id) from core__revisions x where ${own}) as history,
      (select string_agg(concat_ws('|', x.step, f.key, g.key, x.action_name, x.comment, x.settled, x.created_by, x.made_revision,
          x.made is null), ';' order by x.id)
        from core__stage_log x
        left join core__workflow_nodes f on f.organization_id = 1 and f.id = x.from_stage
        left join core__workflow_nodes g on g.organization_id = 1 and g.id = x.to_stage
        where ${own}) as log,
      (select string_agg(concat_ws('|', x.owned_by, x.kind, x.text, x.related_name, x.created_by,
          (select recipe from core__acl_sets s where s.organization_id = 1 and s.id = x.acl_id)), ';' order by x.id)
        from core__notifications x where ${own}) as told,
      (select string_agg(concat_ws('|', x.recipient, x.locale, x.content ->> 'subject', x.content ->> 'text', x.content ->> 'record'), ';'
          order by x.id)
        from core__mails x where x.organization_id = 1 and x.content ->> 'link' like '%/lab/orders/view?id=' || t.id) as mails,
      (select string_agg(concat_ws('|', (x.before - 'acl_id' - 'modified' - 'stage_since' - 'begun')::text,
          x.before ->> 'modified' is null, x.before ->> 'stage_since' is null, x.before ? 'begun'), ';'
          order by x.at, (x.before ->> 'revision')::bigint)
        from core__row_changes x
        where x.organization_id = 1 and x.record_type = ${ORDERS} and x.record_id = t.id::text) as before
    from lab__orders t
    join unnest(${ids}::bigint[]) with ordinality as given(id, ord) on given.id = t.id
    left join core__workflow_nodes w on w.organization_id = 1 and w.id = t.current_stage
    where t.organization_id = 1 order by given.ord`);
}

/** How often a pass saw what it is about: a run that saw none proves nothing. */
const met = { begun: 0, moved: 0, told: 0, mailed: 0, refused: 0, voted: 0, created: 0 };

function note(outcome: readonly unknown[], state: readonly Readonly<Record<string, unknown>>[]): void {
  const among = (pattern: RegExp, column: string, least = 2) =>
    state.filter((row) => pattern.test(String(row[column] ?? ""))).length >= least ? 1 : 0;
  met.begun += among(/start/u, "log");
  met.moved += among(/move.*(begin|offer|hand_in)/u, "log");
  met.told += among(/workflow/u, "told");
  met.mailed += among(/About/u, "mails");
  met.voted += among(/vote/u, "log", 1);
  met.created += among(/file/u, "log", 1);
  if (outcome.some((one) => one !== "saved")) met.refused += 1;
}

const place = () => ({ db: service.db, snapshot, stateOf, note });
const callerOf = (name: string): Promise<Caller> => personOf(service.db, people[name] ?? "");
const among = <T extends string | undefined>(...values: T[]) => fc.constantFrom(...values);

const stored = fc.record({
  title: among("One", "Two", "Three"),
  stage: fc.constantFrom("none", "draft", "open", "open", "busy", "busy", "review"),
  points: among("3", undefined),
  note: among("x", "y", undefined),
  mail: among("a@example.com", undefined),
  owner: among("rep", "rep", "other", "manager"),
  reviewer: among("other", "manager", undefined),
});
const sent = fc.record({
  phase: among("busy", "busy", "open", "open", "review", "closed", "filed", "draft", undefined, undefined),
  note: among("x", "z", "", undefined, undefined),
  points: among("5", "", undefined, undefined, undefined),
  owned_by: among("manager", undefined, undefined, undefined),
  stage_log: fc.constantFrom({ comment: "said" }, undefined, undefined),
});
type Sent = typeof sent extends fc.Arbitrary<infer T> ? T : never;

const given = (values: Readonly<Record<string, unknown>>): Tree =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Tree;
const sentOf = ({ owned_by: owner, ...rest }: Sent): Tree =>
  given({ ...rest, owned_by: owner === undefined ? undefined : people[owner] });

/** Records in the stages that a scenario starts from; `none`: as if they were older than the workflow. */
async function store(work: Work, records: readonly Stored[]) {
  const admin = await callerOf("manager");
  const grant = grantWrite(admin, type, "add", recordHooks);
  const ids: string[] = [];
  for (const { stage, owner, reviewer, ...values } of records) {
    const row = { ...values, owned_by: people[owner], reviewer_id: reviewer && people[reviewer] };
    const made = await oneByOne({ ...work, caller: admin }, { grant, operation: "add" }, [
      { id: undefined, sent: given(row) },
    ]);
    const [id] = idsOf(made);
    if (id === undefined) throw new Error(JSON.stringify(told(made)));
    ids.push(id);
    await put(work, id, stage);
  }
  return ids;
}

/** Past the wire. */
async function put(work: Work, id: string, stage: Stored["stage"]): Promise<void> {
  const moved =
    stage === "none"
      ? sql`current_stage = null, workflow_version = null, stage_since = null, phase = null`
      : sql`phase = ${stage}, stage_since = '2026-01-01', (current_stage, workflow_version) = (
          select n.id, f.version from core__workflow_nodes n
          join core__workflows f on f.organization_id = 1 and f.id = n.workflow_id and f.controller = ${ORDERS}
          where n.organization_id = 1 and n.key = ${stage})`;
  await work.transaction.run(sql`update lab__orders set ${moved} where organization_id = 1 and id = ${id}::bigint`);
}

type Stored = typeof stored extends fc.Arbitrary<infer T> ? T : never;

/** Two records in a stage, and what somebody sends for both: one example of everything that a run is to see. */
function example(name: "rep" | "manager", stage: Stored["stage"], values: Partial<Sent>) {
  const rest = { points: "3", note: "y", mail: "a@example.com", owner: "rep", reviewer: "other" } as const;
  const nothing = { phase: undefined, note: undefined, points: undefined, owned_by: undefined, stage_log: undefined };
  const records = (["One", "Two"] as const).map((title): Stored => ({ title, stage, ...rest }));
  const own = Array.from({ length: 5 }, (): Sent => ({ ...nothing, ...values }));
  return [name, records, own, true, "edit"] as [typeof name, Stored[], Sent[], boolean, "edit"];
}
const kinds = [
  example("manager", "none", { note: "z" }),
  example("manager", "open", { phase: "busy" }),
  example("manager", "review", { phase: "closed" }),
  example("manager", "open", { phase: "filed" }),
  example("rep", "busy", { points: "5" }),
];

test("beginnings and steps", async () => {
  await fc.assert(
    fc.asyncProperty(
      among("rep", "manager", "other"),
      fc.array(stored, { minLength: 2, maxLength: 5 }),
      fc.array(sent, { minLength: 5, maxLength: 5 }),
      fc.boolean(),
      fc.constantFrom("edit", "undo") as fc.Arbitrary<"edit" | "undo">,
      async (name, records, own, isForAll, operation) => {
        const caller = await callerOf(name);
        const scenario: Scenario = async (work, run) => {
          const ids = await store(work, records);
          const [first] = own;
          const all = first && sentOf(first);
          const rows = ids.map((id, index) => {
            const values = own[index];
            return { id, sent: isForAll || !values ? (all ?? {}) : sentOf(values) };
          });
          const saved = await run(work, { grant: grantWrite(caller, type, "edit", recordHooks), operation }, rows);
          return { ids, outcome: told(saved) };
        };
        const together = await observe(place(), caller, saveRecords, scenario);
        expect(together).toEqual(await observe(place(), caller, oneByOne, scenario));
      },
    ),
    { numRuns: runs(40), examples: kinds },
  );
  for (const [what, times] of Object.entries(met)) expect(times, what).toBeGreaterThan(0);
});

/** Runs `meanwhile` once, before the first rows are locked. */
function beforeLocking(transaction: Queryable, meanwhile: () => Promise<unknown>): Queryable {
  let isOver = false;
  const wait = async (statement: Sql): Promise<void> => {
    if (isOver || !statement.strings.join("?").includes("for update of r")) return;
    isOver = true;
    await meanwhile();
  };
  return new Proxy(transaction, {
    get: (target, name, receiver) => {
      const method = Reflect.get(target, name, receiver);
      if (name !== "run" && name !== "prepared") return method;
      return (statement: Sql) => wait(statement).then(() => Reflect.apply(method, target, [statement]));
    },
  });
}

test("records that come into a workflow after they were looked at, and before they are locked, are judged by it", async () => {
  const caller = await callerOf("rep");
  const activate = (work: Work, isActive: "0" | "1") =>
    work.transaction.run(sql`
      update core__workflows set is_active = ${isActive}::smallint where organization_id = 1 and controller = ${ORDERS}`);
  const scenario: Scenario = async (work, run) => {
    const blank = { points: undefined, mail: undefined, owner: "rep", reviewer: "other" } as const;
    const ids = await store(work, [
      { title: "One", stage: "none", note: "x", ...blank },
      { title: "Two", stage: "none", note: "y", ...blank },
    ]);
    await activate(work, "0");
    const meanwhile = async () => {
      await activate(work, "1");
      for (const id of ids) await put(work, id, "busy");
    };
    if (run === oneByOne) await meanwhile();
    const transaction = run === oneByOne ? work.transaction : beforeLocking(work.transaction, meanwhile);
    const saved = await run(
      { ...work, transaction },
      { grant: grantWrite(caller, type, "edit", recordHooks), operation: "edit" },
      ids.map((id) => ({ id, sent: { phase: "review" } as Tree })),
    );
    return { ids, outcome: told(saved) };
  };
  const together = await observe(place(), caller, saveRecords, scenario);
  expect(together.outcome[1]).toBe("saved");
  expect(together).toEqual(await observe(place(), caller, oneByOne, scenario));
});

test.each([
  ["beginning", "none", { note: "z" }],
  ["a step that tells its owner", "draft", { phase: "open" }],
  ["a step with set fields and notifications", "open", { phase: "busy" }],
] as const)("%s takes no more statements for many records", async (_, stage, values) => {
  const caller = await callerOf("manager");
  const statements = async (count: number): Promise<number> => {
    let sentStatements = 0;
    await observe(place(), caller, saveRecords, async (work, run) => {
      const blank = { points: undefined, note: undefined, mail: undefined, owner: "rep", reviewer: "other" } as const;
      const ids = await store(
        work,
        Array.from({ length: count }, () => ({ title: "One" as const, stage, ...blank })),
      );
      const counting = counted(work.transaction, () => {
        sentStatements += 1;
      });
      const saving = { grant: grantWrite(caller, type, "edit", recordHooks), operation: "edit" } as const;
      const saved = await run(
        { ...work, transaction: counting },
        saving,
        ids.map((id) => ({ id, sent: { ...values } as Tree })),
      );
      expect(told(saved)).toEqual(ids.map(() => "saved"));
      return { ids, outcome: told(saved) };
    });
    return sentStatements;
  };
  expect(await statements(30)).toBe(await statements(2));
});
