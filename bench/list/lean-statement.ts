// The statement that the service itself runs for page 1 of the restricted caller, as a pgbench script.
import { createAclDirectory } from "../../server/access/acl-directory.ts";
import { readPerson } from "../../server/access/read-caller.ts";
import type { Database } from "../../server/database/database.ts";
import { compile, type SqlValue, sql } from "../../server/database/sql.ts";
import { requireType, type Snapshot } from "../../server/metadata/snapshot.ts";
import { planList } from "../../server/plan/plan-list.ts";
import { withSets } from "../../server/plan/readable-plan.ts";
import { compilePage } from "../../server/query/compile-list.ts";
import { createListSources, tablesOf } from "../../server/records/list/run-list.ts";
import { parseListParameters } from "../../server/request/list-parameters.ts";
import { callers } from "./universe.ts";
import { VIEW_ID } from "./view.ts";

const literal = (value: SqlValue): string => {
  if (value === null) return "null";
  const text = Array.isArray(value) ? `{${value.map((one) => `"${String(one)}"`).join(",")}}` : String(value);
  return `'${text.replaceAll("'", "''")}'`;
};

export async function pgbenchStatement(db: Database, snapshot: Snapshot, organizationId: string): Promise<string> {
  const user = await db.row(sql`
    select id::text as id from access_controls__users
    where organization_id = ${organizationId}::bigint and user_name = ${callers.half}`);
  const person = await readPerson(db, organizationId, user?.id ?? "");
  if (!person) throw new Error("the benchmark's people are missing");
  const caller = { ...person, credential: { kind: "session", sessionId: "" } } as const;
  const type = requireType(snapshot, "crm/leads");
  const directory = createAclDirectory(db);
  const lists = createListSources(db, directory);
  const { view } = await lists.views.choose(snapshot, caller, type, VIEW_ID);
  const asked = planList({ snapshot, type, caller, now: new Date() }, view, parseListParameters({ limit: "50" }));
  const plan = withSets(asked, await directory.view(caller, type));
  const { text, values } = compile(compilePage(plan, "walk", { offset: 0, limit: 50 }, tablesOf(plan)));
  return `${text.replace(/\$(\d+)/g, (_, number: string) => literal(values[Number(number) - 1] ?? null)).replace(/\s+/g, " ")};\n`;
}
