// What is left right when everything that one person owns is handed over: counts, history, access, and what is deleted.
import { afterAll, beforeAll, expect, test } from "vitest";
import { foldChanges } from "../../../server/database/changes.ts";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let heir: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  heir = await addPerson(service, "heir", ["sales_rep"]);
});
afterAll(() => service.stop());

const handOver = (from: Person) =>
  service.post(`/access_controls/users/deactivate.json?id=${from.id}&hand_over_to=${heir.id}`, {}, admin);
const numbersOf = async (id: string) =>
  (
    await service.db.rows(sql`
      select number::text as number from core__revisions
      where organization_id = 1 and related_type = 'crm/leads' and related_id = ${id} order by id`)
  ).map(({ number }) => number);

test("more records than one statement takes: counted, readable and in their history once, the deleted ones as they were", async () => {
  const leaver = await addPerson(service, "leaver", ["sales_rep"]);
  const rows = Array.from({ length: 1_100 }, (_, index) => ({
    last_name: `Lead ${index}`,
    owned_by: leaver.id,
    ...(index % 10 === 0 ? { deleted: "1", modified: "2020-01-01 00:00:00", modified_by: leaver.id } : {}),
  }));
  const ids = await addRows(service, "crm/leads", rows);
  expect((await handOver(leaver)).body.handed_over).toEqual({ "crm/leads": 1_100 });
  const list = await service.get("/crm/leads/index.json", heir.token);
  expect(list.body.paginate.total_count).toBe(990);
  await foldChanges(service.db);
  const counted = await service.db.rows(sql`
    select c.live::text as counted, count(r.id)::text as there from core__counters c
    left join crm__leads r on r.organization_id = 1 and r.acl_id = c.acl_id and r.deleted = 0
    where c.organization_id = 1 and c.record_type = 'crm/leads' group by c.acl_id, c.live`);
  for (const { counted: told, there } of counted) expect(told).toBe(there);
  const deleted = await service.db.rows(sql`
    select distinct owned_by::text as owner, modified::text as modified, modified_by::text as by, revision::text as revision
    from crm__leads where organization_id = 1 and deleted = 1`);
  expect(deleted).toEqual([{ owner: heir.id, modified: "2020-01-01 00:00:00", by: leaver.id, revision: "2" }]);
  for (const id of [ids[0] ?? "", ids[1_099] ?? ""]) expect(await numbersOf(id)).toEqual(["2"]);
});

test("a record of an access set that is gone stays where it is, and so does its history", async () => {
  const leaver = await addPerson(service, "second-leaver", ["sales_rep"]);
  const [lost = "", fine = ""] = await addRows(service, "crm/leads", [
    { last_name: "Lost", owned_by: leaver.id },
    { last_name: "Fine", owned_by: leaver.id },
  ]);
  await service.db.run(sql`update crm__leads set acl_id = 987654 where organization_id = 1 and id = ${lost}::bigint`);
  expect((await handOver(leaver)).body.handed_over).toEqual({ "crm/leads": 1 });
  expect([await numbersOf(lost), await numbersOf(fine)]).toEqual([[], ["2"]]);
  const row = await service.db.row(sql`
    select owned_by::text as owner, revision::text as revision from crm__leads where organization_id = 1 and id = ${lost}::bigint`);
  expect(row).toEqual({ owner: leaver.id, revision: "1" });
});

test("what was deleted of a record before it changed hands, or was shared, is counted nowhere", async () => {
  const leaver = await addPerson(service, "third-leaver", ["sales_rep"]);
  const save = async (type: string, operation: string, values: Record<string, unknown>, token = admin) => {
    const data = { [type.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } };
    const { body } = await service.post(`/${type}/${operation}.json`, { data }, token);
    expect(body.errors).toEqual([]);
    return body;
  };
  const addresses = [{ address_line_1: "Stays" }, { address_line_1: "Goes" }];
  const { id, data } = await save("crm/leads", "add", { last_name: "Handed", addresses }, leaver.token);
  await save("crm/leads", "edit", { id, addresses: [{ id: data.leads.addresses[1].id, deleted: "1" }] }, leaver.token);
  const said = { related_type: "crm/leads", related_id: id };
  const comment = (await save("core/comments", "add", { ...said, body: "Taken back" }, leaver.token)).id;
  await save("core/comments", "add", { ...said, body: "Stays" }, leaver.token);
  const taken = await service.post(`/core/comments/delete.json?id=${comment}&is_confirm=1`, {}, leaver.token);
  expect(taken.body.errors).toEqual([]);
  await save("crm/leads", "edit", { id, owned_by: heir.id });
  const shared = await service.post(`/crm/leads/share.json?id=${id}`, { principal_id: "1", rights: "read" }, admin);
  expect(shared.body.errors).toEqual([]);
  await foldChanges(service.db);
  const apart = await service.db.rows(sql`
    with there as (
      select 'core/addresses' as record_type, acl_id, count(*) as live from core__addresses where organization_id = 1 and deleted = 0 group by acl_id
      union all select 'core/comments', acl_id, count(*) from core__comments where organization_id = 1 and deleted = 0 group by acl_id
    )
    select record_type, acl_id::text as acl_id, c.live::text as counted, t.live::text as there from there t
    full join (select * from core__counters where organization_id = 1 and record_type in ('core/addresses', 'core/comments')) c
      using (record_type, acl_id) where coalesce(c.live, 0) <> coalesce(t.live, 0)`);
  expect(apart).toEqual([]);
});
