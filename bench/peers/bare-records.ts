// A process: the least that keeps records. Fastify, a pool of connections, one statement per request on the same tables; no
// access, no history, no counters, no workflow. Takes its settings as JSON in the first argument.
import fastify from "fastify";
import pg from "pg";
import { z } from "zod";
import { shownColumns } from "../organization/view.ts";

const settings = z
  .object({ connection: z.record(z.string(), z.unknown()), connections: z.number(), organizationId: z.string() })
  .parse(JSON.parse(process.argv[2] ?? "{}"));
const { organizationId } = settings;
const pool = new pg.Pool({ ...settings.connection, max: settings.connections });
const app = fastify();

const columns = shownColumns.map((column) => `r.${column}`).join(", ");
const sortable = new Set(["name", "created", "company_name", "amount", "last_contacted"]);
const editable = new Set(["score", "city", "description"]);
const addable = ["first_name", "last_name", "company_name", "email", "source", "rating", "score", "city"];

app.get("/leads", async (request) => {
  const { page = "1", sort = "created", dir = "desc" } = request.query as Record<string, string>;
  const order = `r.${sortable.has(sort) ? sort : "created"} ${dir === "asc" ? "asc" : "desc"}`;
  const id = `r.id ${dir === "asc" ? "asc" : "desc"}`;
  const text = `with page as materialized (select r.id from crm__leads r where r.organization_id = ${organizationId} and r.deleted = 0
    order by ${order}, ${id} limit 50 offset $1)
    select ${columns} from page join crm__leads r on r.organization_id = ${organizationId} and r.id = page.id order by ${order}, ${id}`;
  const { rows } = await pool.query({ name: `list ${order}`, text, values: [(Number(page) - 1) * 50] });
  return { data: rows };
});

app.get("/leads/:id", async (request) => {
  const { id } = request.params as { id: string };
  const text = `select ${columns} from crm__leads r where r.organization_id = ${organizationId} and r.id = $1 and r.deleted = 0`;
  const { rows } = await pool.query({ name: "one", text, values: [id] });
  return { data: rows[0] ?? null };
});

app.post("/edit", async (request) => {
  const { id, ...values } = request.body as Record<string, string>;
  const [name = "", value] = Object.entries(values)[0] ?? [];
  if (!editable.has(name)) throw new Error(`there is no ${name}`);
  const text = `update crm__leads set ${name} = $2, revision = revision + 1, modified = now() at time zone 'utc'
    where organization_id = ${organizationId} and id = $1 returning id`;
  const { rows } = await pool.query({ name: `edit ${name}`, text, values: [id, value] });
  return { data: rows[0] ?? null };
});

app.post("/add", async (request) => {
  const given = request.body as Record<string, string>;
  const text = `insert into crm__leads (organization_id, acl_id, name, status, ${addable.join(", ")})
    values (${organizationId}, 1, $1, 'new', ${addable.map((_, index) => `$${index + 2}`).join(", ")}) returning id`;
  const values = [`${given.first_name} ${given.last_name}`, ...addable.map((name) => given[name] ?? null)];
  const { rows } = await pool.query({ name: "add", text, values });
  return { data: rows[0] ?? null };
});

await app.listen({ port: 0, host: "127.0.0.1" });
const address = app.server.address();
process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
