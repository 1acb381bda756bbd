// Bulk edits of 10,000 leads against one SQL UPDATE of the same rows of the same table, in turns: a plain value, a
// searchable one, and one that moves each lead in its workflow.
import pg from "pg";
import type { Context } from "../compare.ts";
import { median, spread } from "../load/figures.ts";
import { isWanted } from "../options.ts";
import type { Fact } from "../report/result.ts";

const LEADS = 10_000;

interface BulkCase {
  readonly name: string;
  /** Of the leads that are changed, for the service and for SQL. */
  readonly where: Readonly<Record<string, unknown>>;
  readonly lean: string;
  /** Two states to go back and forth between: what is written always differs from what was there. */
  readonly states: readonly [BulkState, BulkState];
}

interface BulkState {
  readonly values: Readonly<Record<string, string>>;
  readonly set: string;
}

const plain = (column: string, value: string): BulkState => ({
  values: { [column]: value },
  set: `${column} = '${value}'`,
});

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

export async function measureBulk(context: Context): Promise<readonly Fact[]> {
  const { served, options, say } = context;
  const client = new pg.Client(served.connection);
  await client.connect();
  try {
    const facts: Fact[] = [];
    for (const one of await casesOf(context, client)) {
      if (!isWanted(one.name, options)) continue;
      const updates: number[] = [];
      const jobs: number[] = [];
      for (let round = 0; round < options.rounds; round += 1) {
        const [there, back] = one.states;
        const stamp = "revision = revision + 1, modified = now() at time zone 'utc'";
        const update = `update crm__leads set ${there.set}, ${stamp} where organization_id = ${served.universe.organizationId} and ${one.lean}`;
        updates.push(await seconds(() => client.query(update)));
        jobs.push(await seconds(() => runJob(context, client, one.where, back.values)));
        await client.query("vacuum crm__leads");
      }
      const ratio = spread(jobs.map((job, index) => job / (updates[index] ?? Number.NaN)));
      const note = `one UPDATE ${median(updates).toFixed(2)} s: ${ratio.median.toFixed(1)} × (${ratio.low.toFixed(1)}–${ratio.high.toFixed(1)})`;
      facts.push({ name: one.name, value: median(jobs), unit: "s", note });
      say(`${one.name}: ${median(jobs).toFixed(2)} s; ${note}`);
    }
    return facts;
  } finally {
    await client.end();
  }
}

async function casesOf({ served }: Context, client: pg.Client): Promise<readonly BulkCase[]> {
  const { rows, organizationId } = served.universe;
  const count = Math.min(LEADS, Math.floor(rows / 4));
  const words = count.toLocaleString("en");
  const first = { where: { "leads.id": { op: "<=", value: String(count) } }, lean: `id <= ${count}` };
  const stages = await client.query<{ key: string; id: string }>(
    `select n.key, n.id::text as id from core__workflow_nodes n
     join core__workflows w on w.organization_id = n.organization_id and w.id = n.workflow_id
     where n.organization_id = $1 and w.controller = 'crm/leads'`,
    [organizationId],
  );
  const staged = (status: string): BulkState => {
    const node = stages.rows.find(({ key }) => key === status)?.id ?? "";
    return { values: { status }, set: `status = '${status}', current_stage = '${node}'` };
  };
  // As many leads that are new, in one range of ids, marked by a campaign of their own.
  await client.query(
    `update crm__leads set campaign = 'Bulk' where organization_id = $1 and id in
       (select id from crm__leads where organization_id = $1 and status = 'new' and id > $2 order by id limit $2)`,
    [organizationId, count],
  );
  const campaign = { where: { "leads.campaign": "Bulk" }, lean: "campaign = 'Bulk'" };
  await client.query("create index if not exists bench_campaign on crm__leads (organization_id, campaign)");
  return [
    { name: `${words} leads, a plain value`, ...first, states: [plain("rating", "warm"), plain("rating", "hot")] },
    { name: `${words} leads, a searchable value`, ...first, states: [plain("city", "Ulm"), plain("city", "Bonn")] },
    {
      name: `${words} leads, a step in their workflow`,
      ...campaign,
      states: [staged("contacted"), staged("new")],
    },
  ];
}

async function runJob(
  { served }: Context,
  client: pg.Client,
  where: Readonly<Record<string, unknown>>,
  leads: Readonly<Record<string, string>>,
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${served.port}/crm/leads/edit_selected.json`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${served.tokens.administrator}` },
    body: JSON.stringify({ all_matching: "1", q: { where }, data: { leads } }),
  });
  const body = (await response.json()) as { job_id?: string; errors?: unknown };
  if (!response.ok || body.job_id === undefined) throw new Error(`${response.status} ${JSON.stringify(body.errors)}`);
  for (;;) {
    const { rows } = await client.query("select status, failed from core__jobs where id = $1", [body.job_id]);
    const [job] = rows as { status: string; failed: number }[];
    if (job?.status === "done" && Number(job.failed) === 0) return;
    if (job?.status !== "queued" && job?.status !== "running") throw new Error(JSON.stringify(job));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
