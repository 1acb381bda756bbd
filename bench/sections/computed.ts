// Lists of leads with five computed fields among their columns, against the same pages without them, in turns; and how fast the records
// that are there are computed when the fields are added.
import pg from "pg";
import { askService, type Context } from "../compare.ts";
import { spread } from "../load/figures.ts";
import type { Fact } from "../report/result.ts";
import type { Random } from "../traffic/random.ts";

const computed = [
  {
    name: "x_weighted",
    type: "decimal",
    settings: { precision: 18, scale: 2 },
    computed: formula("amount * score / 100"),
  },
  { name: "x_headline", type: "short-text", computed: formula('name & ", " & company_name') },
  { name: "x_is_large", type: "flag", computed: formula("employees > 500 and annual_revenue > 1000000") },
  { name: "x_country", type: "short-text", computed: { kind: "lookup", through: ["country_id"], field: "name" } },
  { name: "x_second_call", type: "date", computed: formula("next_follow_up + 14") },
] as const;

function formula(source: string) {
  return { kind: "formula", formula: source } as const;
}

const plain =
  "name first_name last_name company_name job_title department status source campaign rating score industry amount employees website email phone city do_not_call next_follow_up".split(
    " ",
  );

const PAGES = 20;

export async function measureComputed(context: Context): Promise<readonly Fact[]> {
  const { served, options, say } = context;
  const seconds = await addFields(context);
  const rate = served.universe.rows / seconds;
  say(`five computed fields of ${served.universe.rows} leads are there after ${seconds.toFixed(1)} s`);
  const facts: Fact[] = [{ name: "records computed when fields are added", value: rate, unit: "per s" }];
  const pageOf = (names: readonly string[]) => {
    const q = encodeURIComponent(JSON.stringify({ fields: names.map((name) => `leads.${name}`) }));
    return (random: Random) => ({
      path: `/crm/leads/index.json?track_open=0&limit=50&page=${random.integer(1, PAGES)}&q=${q}`,
    });
  };
  const withFive = pageOf([...plain, ...computed.map(({ name }) => name)]);
  const ratios: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const without = await askService(context, { caller: "administrator", next: pageOf(plain) }, round);
    const five = await askService(context, { caller: "administrator", next: withFive }, round);
    if (without.errors + five.errors > 0) throw new Error(without.error ?? five.error);
    ratios.push(without.perSecond / five.perSecond);
  }
  const { median, low, high } = spread(ratios);
  const note = `${low.toFixed(2)}–${high.toFixed(2)}; at most 1.20`;
  facts.push({
    name: "a list with five computed fields, time of the same list without",
    value: median,
    unit: "×",
    note,
  });
  say(`a list with five computed fields takes ${median.toFixed(2)} × (${note})`);
  return facts;
}

/** Gives how long it took until every record had its values. */
async function addFields({ served }: Context): Promise<number> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${served.tokens.administrator}` };
  const url = `http://127.0.0.1:${served.port}/metadata/record_types`;
  const read = await fetch(`${url}/view.json?key=crm/leads`, { headers });
  const { data } = (await read.json()) as { data: { record_types: { definition: string } } };
  const definition = JSON.parse(data.record_types.definition) as { fields: { name: string }[] };
  const names = new Set<string>(computed.map(({ name }) => name));
  const fields = [...definition.fields.filter(({ name }) => !names.has(name)), ...computed];
  const began = performance.now();
  const body = JSON.stringify({ definition: JSON.stringify({ ...definition, fields }) });
  const saved = await fetch(`${url}/save.json`, { method: "POST", headers, body });
  if (!saved.ok) throw new Error(`${saved.status} ${await saved.text()}`);
  const client = new pg.Client(served.connection);
  await client.connect();
  try {
    for (;;) {
      const left = await client.query("select 1 from core__computed_work where round = 1 limit 1");
      if (left.rows.length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const seconds = (performance.now() - began) / 1000;
    await client.query("vacuum analyze crm__leads");
    return seconds;
  } finally {
    await client.end();
  }
}
