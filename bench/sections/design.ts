// Design steps on a large table: how long each takes until all of it is done, and the longest that a list or a save of somebody else
// took meanwhile; and how long it takes to foretell what a policy would open and close.
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Context } from "../compare.ts";
import { spread } from "../load/figures.ts";
import { type Paced, startWrites } from "../load/paced-writes.ts";
import { isWanted } from "../options.ts";
import type { Fact } from "../report/result.ts";
import { createRandom, seedOf } from "../traffic/random.ts";
import { writeTraffic } from "../traffic/writes.ts";

const BUDGET_MS = 1_000;
/** Of each, lists and saves, per second. */
const RATE = 5;

interface DesignedField {
  readonly name: string;
  readonly [setting: string]: unknown;
}

interface Step {
  readonly name: string;
  readonly run: (ask: Ask) => Promise<unknown>;
}

type Ask = <Body>(path: string, sent?: unknown) => Promise<Body>;

async function readFields(ask: Ask) {
  const { data } = await ask<{ data: { record_types: { definition: string } } }>(
    "metadata/record_types/view.json?key=crm/leads",
  );
  return JSON.parse(data.record_types.definition) as { readonly fields: readonly DesignedField[] };
}

/** What an earlier run has left in kept data stays as it is; where no field is to be added, it goes on with that. */
async function nameOf(ask: Ask, isAdded: boolean): Promise<string> {
  const { fields } = await readFields(ask);
  const last = fields.findLast((field) => /^x_note(_\d+)?$/u.test(field.name));
  if (!isAdded && last) return last.name;
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? "x_note" : `x_note_${n}`;
    if (!fields.some((field) => field.name === name || field.name === renamed(name))) return name;
  }
}

const BEFORE = "nothing is changed, for 20 s after the start";
const BEFORE_MS = 20_000;
const ADDED = "a field is added";
const renamed = (name: string): string => `${name}_b`;

function stepsWith(name: string): readonly Step[] {
  const note = { name, label: name, type: "short-text" };
  const names = [name, renamed(name)];
  const others = (fields: readonly DesignedField[]) => fields.filter((field) => !names.includes(field.name));
  const save = async (ask: Ask, settings: object | undefined, wishes: object = {}): Promise<void> => {
    const definition = await readFields(ask);
    const fields = [...others(definition.fields), ...(settings ? [{ ...note, ...settings }] : [])];
    await ask("metadata/record_types/save.json", { definition: JSON.stringify({ ...definition, fields }), ...wishes });
  };
  const choice = { type: "choice", settings: { options: [{ value: "Noted", label: "Noted" }] } };
  return [
    // What a service that has just started costs is not the cost of a step.
    { name: BEFORE, run: () => delay(BEFORE_MS) },
    { name: ADDED, run: (ask) => save(ask, {}) },
    { name: "it gets fast sorting", run: (ask) => save(ask, { indexed: true }) },
    { name: "it becomes searchable", run: (ask) => save(ask, { indexed: true, searchable: true }) },
    { name: "it becomes a choice", run: (ask) => save(ask, choice, { convert: name }) },
    { name: "it gets another name", run: (ask) => save(ask, { ...choice, name: renamed(name), aliases: [name] }) },
    { name: "it is removed", run: (ask) => save(ask, undefined, { discard: renamed(name) }) },
    {
      name: "it is restored",
      run: async (ask) => {
        type Bin = { data: { removed: { id: string; field: string }[] } };
        const { data } = await ask<Bin>("metadata/record_types/removed.json?key=crm/leads");
        await ask("metadata/record_types/restore.json", {
          id: data.removed.find(({ field }) => field === renamed(name))?.id,
        });
      },
    },
  ];
}

const PIECE = 20_000;
/** To write ten million records would take longer than all that is measured. */
const MOST_FILLED = 100_000;

async function fill(client: pg.Client, column: string): Promise<void> {
  const { rows } = await client.query<{ most: string }>("select max(id)::text as most from crm__leads");
  const pieces = Math.ceil((Number(rows[0]?.most) + 1) / PIECE);
  const every = Math.max(1, Math.floor((pieces * PIECE) / MOST_FILLED));
  for (let piece = 0; piece < pieces; piece += every)
    await client.query(`update crm__leads set "${column}" = 'Noted' where id > $1 and id <= $2`, [
      piece * PIECE,
      (piece + 1) * PIECE,
    ]);
  await client.query("vacuum analyze crm__leads");
}

/** Nothing is left to do on any table. */
async function untilDone(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`
      select 1 from metadata__table_work where failure is null
      union all select 1 from metadata__indexes where state in ('building', 'removing')
      union all select 1 from core__computed_work where round = 1 limit 1`);
    if (rows.length === 0) return;
    await delay(100);
  }
}

export async function measureDesign(context: Context): Promise<readonly Fact[]> {
  const { served, options, say } = context;
  const client = new pg.Client(served.connection);
  await client.connect();
  const headers = { "content-type": "application/json", authorization: `Bearer ${served.tokens.administrator}` };
  const ask: Ask = async <Body>(path: string, sent?: unknown) => {
    const post = sent === undefined ? {} : { method: "POST", body: JSON.stringify(sent) };
    const response = await fetch(`http://127.0.0.1:${served.port}/${path}`, { headers, ...post });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };
  try {
    await untilDone(client);
    const facts: Fact[] = [await foretelling(ask)];
    say(`${facts[0]?.name}: ${facts[0]?.value.toFixed(0)} ms`);
    const isAdded = isWanted(ADDED, options);
    const added = await nameOf(ask, isAdded);
    const steps = stepsWith(added).filter(({ name }) => isWanted(name, options));
    for (const [at, { name, run }] of steps.entries()) {
      // What was added has a value in records all over the table from then on.
      if (steps[at - 1]?.name === ADDED) await fill(client, added);
      const random = createRandom(seedOf("design", name, options.seed));
      const write = writeTraffic(served.universe);
      const saves = startWrites(served.port, served.tokens.administrator, RATE, () => write(random));
      const lists = startWrites(served.port, served.tokens.half, RATE, () => ({
        path: `/crm/leads/index.json?track_open=0&limit=50&page=${random.integer(1, 20)}`,
      }));
      const began = performance.now();
      let [answered, done] = [0, 0];
      try {
        await run(ask);
        answered = (performance.now() - began) / 1000;
        await untilDone(client);
        done = (performance.now() - began) / 1000;
      } finally {
        await Promise.all([lists.stop(), saves.stop()]);
      }
      const [list, save] = [await lists.stop(), await saves.stop()];
      const failed = list.errors + save.errors;
      const fact: Fact = {
        name,
        value: done,
        unit: "s",
        note:
          `answered after ${answered.toFixed(1)} s; meanwhile a list took ${longest(list)}, a save ${longest(save)}, ${failed} failed; ` +
          `budget ${BUDGET_MS} ms: ${[...list.each, ...save.each].every(isWithin) && failed === 0 ? "held" : "NOT held"}` +
          `${list.error || save.error ? `; ${list.error ?? save.error}` : ""}`,
      };
      say(`${name}: ${done.toFixed(1)} s, ${fact.note}`);
      facts.push(fact);
    }
    return facts;
  } finally {
    await client.end();
  }
}

const isWithin = ({ took }: Paced): boolean => took <= BUDGET_MS;

/** With how many were too slow, and when the slowest was asked for. */
function longest({ each, p95 }: { readonly each: readonly Paced[]; readonly p95: number }): string {
  const { at = 0, took = 0 } = each[0] ?? {};
  const over = each.filter((one) => !isWithin(one)).length;
  const late =
    over === 0 ? "" : `; ${over} of ${each.length} over the budget, the slowest after ${(at / 1000).toFixed(0)} s`;
  return `${took.toFixed(0)} ms at most (p95 ${p95.toFixed(0)}${late})`;
}

const owner = ["owner"];
const policies = [owner, ["organization"], ["owner", { to: "organization", when: 'status = "qualified"' }]].map(
  (read) => ({ read, edit: owner, delete: owner, comment: owner }),
);

/** A policy that takes from everybody, one that gives to everybody, and one by a condition. */
async function foretelling(ask: Ask): Promise<Fact> {
  const took: number[] = [];
  for (const policy of [...policies, ...policies]) {
    const began = performance.now();
    await ask("access_controls/policies/consequences.json", {
      record_type: "crm/leads",
      policy: JSON.stringify(policy),
    });
    took.push(performance.now() - began);
  }
  const { median, high } = spread(took);
  return {
    name: "what a policy would open and close is foretold",
    value: median,
    unit: "ms",
    note: `${high.toFixed(0)} ms at most; budget ${BUDGET_MS} ms: ${high <= BUDGET_MS ? "held" : "NOT held"}`,
  };
}
