// A bulk edit equals the same edits one by one: the same records after it, the same history, the same refusals, whatever
// is sent, and whichever way the records go.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { runs } from "../../runs.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let manager: Person;
let rep: Person;
let group: string;

const save = (type: string, operation: string, values: Record<string, unknown>, token: string) =>
  service.post(
    `/${type}/${operation}.json`,
    { data: { [type.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } } },
    token,
  );

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  await service.db.run(sql`
    update access_controls__role_operations set operations = array_append(operations, 'bulk')
    where organization_id = 1 and record_type = 'crm/leads' and not 'bulk' = any(operations)`);
  manager = await addPerson(service, "manager", ["sales_manager"]);
  rep = await addPerson(service, "rep", ["sales_rep"]);
  group = (await save("access_controls/groups", "add", { name: "Team" }, admin)).body.id;
  const definition = {
    sections: [
      {
        section: "Lead",
        elements: [
          { field: "last_name" },
          { field: "status" },
          { field: "score", if_condition: 'status != "converted"', else_permission: 4 },
          { field: "lost_reason", required_if: 'status = "unqualified"' },
          { field: "city", roles: { sales_manager: 4 } },
        ],
      },
    ],
  };
  const form = { name: "Lead form", controller: "crm/leads", is_default: "1", definition: JSON.stringify(definition) };
  expect((await save("core/forms", "add", form, admin)).body.errors).toEqual([]);
});

afterAll(() => service.stop());

const statuses = ["new", "contacted", "converted", "unqualified", null];
const stored = fc.record({
  last_name: fc.constantFrom("Able", "Baker"),
  first_name: fc.constantFrom("Ann", null),
  status: fc.constantFrom("new", "converted", "unqualified"),
  score: fc.constantFrom("1", "50", null),
  lost_reason: fc.constantFrom("price", null),
  city: fc.constantFrom("Ulm", null),
  tags: fc.constantFrom("Urgent", null),
  owner: fc.constantFrom("manager", "rep"),
  share: fc.boolean(),
  deleted: fc.constantFrom("0", "0", "0", "1"),
});
const change = fc
  .record(
    {
      last_name: fc.constantFrom("Clark", "Able", ""),
      first_name: fc.constantFrom("Bob", ""),
      status: fc.constantFrom(...statuses),
      score: fc.constantFrom("1", "99", "", "1000"),
      lost_reason: fc.constantFrom("price", ""),
      city: fc.constantFrom("Ulm", "Bonn"),
      owned_by: fc.constantFrom("manager", "rep", "999999"),
      primary_acl_group: fc.constantFrom("group", ""),
      name: fc.constantFrom("Somebody else"),
      created: fc.constantFrom("2020-01-01"),
    },
    { requiredKeys: [] },
  )
  .filter((sent) => Object.keys(sent).some((name) => name !== "created"));

/** Everything of the records that a change could have touched, with history and access by what it means, not by number. */
async function state(ids: readonly string[]) {
  const rows = await service.db.rows(sql`
    select l.last_name, l.first_name, l.name, l.status, l.score, l.lost_reason, l.city, l.tags::text as tags, l.owned_by,
      l.primary_acl_group, l.revision, l.deleted, l.modified_by, l.acl_id,
      (select string_agg(a.owned_by || ' ' || a.acl_id, ',') from core__addresses a
        where a.organization_id = 1 and a.related_type = 'crm/leads' and a.related_id = l.id::text) as children,
      (select string_agg(r.number || r.operation || (r.changes - '__along')::text || r.created_by, ';' order by r.number)
        from core__revisions r where r.organization_id = 1 and r.related_type = 'crm/leads' and r.related_id = l.id::text) as history
    from crm__leads l join unnest(${ids}::bigint[]) with ordinality as given(id, ord) on given.id = l.id
    where l.organization_id = 1 order by given.ord`);
  // One way is a second after the other.
  return rows.map((row) => ({ ...row, history: row.history?.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "now") }));
}

const live = async () => {
  const { body } = await service.get("/crm/leads/index.json?limit=1", rep.token);
  const all = await service.get("/crm/leads/index.json?limit=1", admin);
  return [body.paginate.total_count, all.body.paginate.total_count];
};

test("whatever is sent for whatever is stored", async () => {
  const people: Record<string, string> = { manager: manager.id, rep: rep.id };
  await fc.assert(
    fc.asyncProperty(
      fc.array(stored, { minLength: 1, maxLength: 4 }),
      change,
      fc.boolean(),
      async (given, sent, mine) => {
        const token = mine ? rep.token : manager.token;
        const make = async () => {
          const ids = await addRows(
            service,
            "crm/leads",
            given.map(({ owner, share: _, deleted: __, ...row }) => ({
              ...row,
              name: [row.first_name, row.last_name].filter(Boolean).join(" "),
              owned_by: people[owner],
            })),
          );
          await addRows(
            service,
            "core/addresses",
            ids.map((id, index) => ({
              related_type: "crm/leads",
              related_id: id,
              address_line_1: "1 Road",
              owned_by: people[given[index]?.owner ?? ""],
            })),
          );
          for (const [index, id] of ids.entries()) {
            if (given[index]?.share) {
              const user = await service.db.row(
                sql`select principal_id from access_controls__users where id = ${rep.id}::bigint`,
              );
              const share = {
                related_type: "crm/leads",
                related_id: id,
                principal_id: user?.principal_id,
                rights: "read;edit",
              };
              await save("access_controls/shares", "add", share, admin);
            }
            if (given[index]?.deleted === "1")
              await service.post(`/crm/leads/delete.json?id=${id}&is_confirm=1`, {}, admin);
          }
          return ids;
        };
        const values: Record<string, unknown> = {
          ...sent,
          ...(sent.owned_by === undefined ? {} : { owned_by: people[sent.owned_by] ?? sent.owned_by }),
          ...(sent.primary_acl_group === "group" ? { primary_acl_group: group } : {}),
        };
        const before = await live();
        const single = await make();
        const reasons: Record<number, string[]> = {};
        for (const [index, id] of single.entries()) {
          const { status, body } = await save("crm/leads", "edit", { id, ...values }, token);
          if (status !== 200)
            reasons[index] = body.errors.filter((one: string) => one !== "Some fields need your attention");
        }
        const between = await live();
        const together = await make();
        const answer = await service.post(
          "/crm/leads/edit_selected.json",
          { ids: together, data: { leads: values } },
          token,
        );
        const after = await live();
        if (answer.body.data?.failed === undefined) {
          // A fault of the values themselves: the same for every record, told once, and nothing was touched.
          expect(answer.status).toBe(422);
          expect(Object.keys(reasons)).toHaveLength(given.length);
        } else {
          const told = together.map((id) => answer.body.data.failed[id]);
          expect(told.map((one) => one?.toSorted())).toEqual(given.map((_, index) => reasons[index]?.toSorted()));
        }
        expect(await state(together)).toEqual(await state(single));
        expect(after.map((count, index) => count - (between[index] ?? 0))).toEqual(
          between.map((count, index) => count - (before[index] ?? 0)),
        );
      },
    ),
    { numRuns: runs(8) },
  );
});
