// Statements that do not end by themselves, many at once: whoever asked is told so in one of the sentences that say what to
// do, in whichever way they asked. A locked table makes such statements, so nothing here depends on how fast the machine is.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addRows } from "../people.ts";

let service: TestService;
/** Of the same database, with the usual limit. */
let patient: TestService;
let admin: string;
let ids: string[];

beforeAll(async () => {
  service = await startService({ STATEMENT_TIMEOUT_SECONDS: "1", LARGE_LIST_ROWS: "5" });
  patient = await startService({}, { connection: service.connection, db: service.db, close: async () => {} });
  admin = await service.login();
  ids = await addRows(
    service,
    "crm/leads",
    Array.from({ length: 20 }, (_, at) => ({ name: `Lead ${at}`, last_name: `Lead ${at}`, status: "new" })),
  );
  // Rows written past the wire are in no stage, and would each begin the workflow with their first save.
  await service.db.run(
    sql`update core__workflows set is_active = 0 where organization_id = 1 and controller = 'crm/leads'`,
  );
});
afterAll(async () => {
  await patient.stop();
  await service.stop();
});

const q = (value: unknown) => `q=${encodeURIComponent(JSON.stringify(value))}`;
const contains = { op: "contains", value: "a" };
const lead = (more: Record<string, unknown> = {}) => ({
  data: { leads: { last_name: "L", ...more }, action: { save_continue: "Save" } },
});
const call = (method: string, params: Record<string, unknown>) => ({
  jsonrpc: "2.0",
  id: 1,
  method: `crm.leads.${method}`,
  params,
});

/** By what they do: the address, and the body of those that post. */
const asked: Readonly<Record<string, (at: number) => readonly [path: string, body?: unknown]>> = {
  "a list": () => ["/crm/leads/index.json"],
  "a list with conditions": () => [`/crm/leads/index.json?${q({ where: { "leads.name": contains } })}`],
  "a search": () => ["/crm/leads/index.json?search_basic=lead"],
  groups: () => [`/crm/leads/index.json?${q({ group: ["leads.status"] })}`],
  "a record": (at) => [`/crm/leads/view.json?id=${ids[at % 3]}`],
  "a form": (at) => [`/crm/leads/edit.json?id=${ids[at % 3]}`],
  "an empty form": () => ["/crm/leads/add.json"],
  "a record by conditions": () => [`/crm/leads/view.json?${q({ where: { "leads.name": contains } })}`],
  revisions: (at) => [`/crm/leads/revisions.json?id=${ids[at % 3]}`],
  "who may": (at) => [`/crm/leads/access.json?id=${ids[at % 3]}`],
  "a search everywhere": () => ["/core/search/index.json?search_basic=lead"],
  "an export": () => ["/crm/leads/export.json"],
  "a call for a list": () => ["/crm/leads/index.json", call("index", {})],
  "a call for groups": () => [
    "/crm/leads/index.json",
    call("index", { q: JSON.stringify({ group: ["leads.status"] }) }),
  ],
  "an addition": () => ["/crm/leads/add.json", lead()],
  "a change": (at) => [`/crm/leads/edit.json?id=${ids[at % 3]}`, lead({ id: ids[at % 3] })],
  "many additions": () => ["/crm/leads/add_many.json", { data: { leads: [{ last_name: "A" }] } }],
  "many changes": (at) => ["/crm/leads/edit_many.json", { data: { leads: [{ id: ids[at % 3], last_name: "B" }] } }],
  "a change of all": () => ["/crm/leads/edit_selected.json", { ids, data: { leads: { rating: "hot" } } }],
  "a deletion": () => ["/crm/leads/delete.json", { id: ids[19], is_confirm: "1" }],
};

const sentences = [
  "This took too long and was stopped. Use fewer conditions or columns, or export instead",
  "Your organization has too many requests in progress. Try again in 5 s",
];

interface Told {
  readonly what: string;
  readonly status: number;
  readonly sentence: string | undefined;
}

async function ask(what: string, [path, body]: readonly [string, unknown?]): Promise<Told> {
  const answer = await (body === undefined ? service.get(path, admin) : service.post(path, body, admin));
  const { errors } = answer.body.result ?? answer.body;
  return { what, status: answer.status, sentence: errors?.[0] };
}

const askAll = (times: number, which: (what: string) => boolean) =>
  Array.from({ length: times }, (_, at) =>
    Object.entries(asked).flatMap(([what, address]) => (which(what) ? ask(what, address(at)) : [])),
  ).flat();

const isExport = (what: string) => what === "an export";

/** Runs while nobody can read or write leads. */
const withLockedLeads = <T>(work: () => Promise<T>): Promise<T> =>
  service.db.transaction(async (transaction) => {
    await transaction.run(sql`lock table crm__leads in access exclusive mode`);
    return work();
  });

/** The processes that wait for a lock of this kind. */
const waitingFor = async (event: "transactionid" | "relation"): Promise<number[]> => {
  const rows = await service.db.rows(sql`
    select pid::text as pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = ${event}`);
  return rows.map(({ pid }) => Number(pid));
};

test.each(Object.keys(asked))("%s is answered while nothing stands in its way", async (what) => {
  const [path, body] = asked[what]?.(0) ?? [""];
  const answer = await (body === undefined ? patient.get(path, admin) : patient.post(path, body, admin));
  expect([answer.status, answer.body.errors ?? []]).toEqual([200, []]);
});

test("a crowd whose statements are stopped is told so, and what to do, before the table is free again", async () => {
  const { told, exports } = await withLockedLeads(async () => {
    // An export has no such limit: those that find a connection wait for the table.
    const begun = askAll(12, isExport);
    return { told: await Promise.all(askAll(12, (what) => !isExport(what))), exports: begun };
  });
  const isRight = ({ status, sentence }: Told) =>
    status === 200 || ([429, 503].includes(status) && sentences.includes(sentence ?? ""));
  const all = [...told, ...(await Promise.all(exports))];
  expect(all.filter((one) => !isRight(one))).toEqual([]);
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 429, 503]));
  // Nothing is left of it.
  const [path = ""] = asked["a record"]?.(0) ?? [];
  expect((await service.get(path, admin)).status).toBe(200);
});

test("a list that was given up says which index it lacks", async () => {
  const path = "/crm/leads/index.json?sort=leads.score&dir=ASC";
  await service.get(path, admin);
  const { status, body } = await withLockedLeads(() => service.get(path, admin));
  expect([status, body.notices]).toEqual([503, [expect.objectContaining({ code: "needs_index", field: "score" })]]);
});

test("what was saved and cannot be shown is told to be saved", async () => {
  const id = ids[5] ?? "";
  const row = sql`organization_id = 1 and id = ${id}::bigint`;
  const { saving, locking } = await service.db.transaction(async (transaction) => {
    await transaction.run(sql`select from crm__leads where ${row} for update`);
    const sent = patient.post(`/crm/leads/edit.json?id=${id}`, lead({ id, last_name: "Saved" }), admin);
    await expect.poll(() => waitingFor("transactionid")).toHaveLength(1);
    // Its turn comes when the record is saved, before it is read again.
    const locked = withLockedLeads(async () => {
      await expect.poll(() => waitingFor("relation")).toHaveLength(1);
      for (const reader of await waitingFor("relation")) await service.db.cancelBackend(reader);
      await sent;
    });
    await expect.poll(() => waitingFor("relation")).toHaveLength(1);
    return { saving: sent, locking: locked };
  });
  await locking;
  const { status, body } = await saving;
  expect([status, body.errors, body.message]).toEqual([200, [], ["Lead saved, but it can't be displayed right now"]]);
  expect((await service.db.row(sql`select last_name from crm__leads where ${row}`))?.last_name).toBe("Saved");
});
