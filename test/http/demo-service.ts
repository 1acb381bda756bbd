// A service whose first organization has a small demo in it: users in groups, leads, people, companies, opportunities.
import { loadDemo } from "../../demo/load-demo.ts";
import { sql } from "../../server/database/sql.ts";
import { startService, type TestService } from "../service.ts";
import { snapshot } from "./people.ts";

export async function startDemoService(scale?: number, today?: string): Promise<TestService> {
  const service = await startService();
  await fillWithDemo(service, scale, today);
  return service;
}

export async function fillWithDemo({ db, admin }: TestService, scale = 0.03, today = "2026-03-15"): Promise<void> {
  const roles = await db.rows(sql`select id, code from access_controls__roles where organization_id = 1`);
  const administrator = await db.row(sql`select id from access_controls__users where user_name = ${admin.userName}`);
  const first = {
    organizationId: "1",
    administratorId: administrator?.id ?? "",
    roles: new Map(roles.map((role) => [role.code ?? "", role.id ?? ""])),
    userName: admin.userName,
    generatedPassword: undefined,
  };
  await db.transaction((transaction) => loadDemo(transaction, snapshot, first, { today, scale }));
}
