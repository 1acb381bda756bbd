// A disk without room: what cannot be written is told as such, and the service goes on.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../service.ts";

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startService();
  token = await service.login();
});
afterAll(() => service.stop());

const save = () => {
  const data = { companies: { name: "Full of it" }, action: { save_continue: "Save" } };
  return service.post("/crm/companies/add.json", { data }, token);
};

test("a save that finds the database's disk full is refused with 503 and its sentence, and works once there is room", async () => {
  await service.db.script(`
    create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger no_room before insert on crm__companies for each row execute function no_room()`);
  expect(await save()).toMatchObject({
    status: 503,
    body: { error_code: "disk_full", errors: [expect.stringContaining("out of disk space. Nothing was saved")] },
  });
  expect((await service.get("/crm/companies/index.json", token)).body.paginate.total_count).toBeDefined();
  await service.db.script("drop trigger no_room on crm__companies");
  expect((await save()).status).toBe(200);
});
