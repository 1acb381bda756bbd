// What events cost: the processor time of edits with events and with events that are thrown away, in turns; how many events one reader
// is given in a second; and what 500 listeners cost one process, at rest and while records change.
import { readFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Context } from "../compare.ts";
import { median } from "../load/figures.ts";
import { encode, runLoad } from "../load/http-load.ts";
import { startWrites } from "../load/paced-writes.ts";
import type { Fact } from "../report/result.ts";
import { familyTime, processorTime, residentMemory } from "../serve/process-figures.ts";
import { login, settle } from "../serve/serve.ts";
import { createRandom, seedOf } from "../traffic/random.ts";
import { randomEdit } from "../traffic/writes.ts";

const LISTENERS = 500;
const OF_ONE = 20;
const READ = 50_000;
const WRITES = 5;

/** A row that the trigger gives null for is not written: its statement and its number are all that is left of an event. */
const THROW_AWAY = `
  create or replace function bench_throw_away() returns trigger language plpgsql as 'begin return null; end';
  drop trigger if exists bench_throw_away on core__pending_events;
  create trigger bench_throw_away before insert on core__pending_events for each row execute function bench_throw_away();`;
const KEEP = "drop trigger if exists bench_throw_away on core__pending_events";

export async function measureEvents(context: Context): Promise<readonly Fact[]> {
  const client = new pg.Client(context.served.connection);
  await client.connect();
  try {
    return [
      ...(await costOfWriting(context, client)),
      ...(await costOfReading(context, client)),
      ...(await costOfListeners(context)),
    ];
  } finally {
    await client.query(KEEP);
    await client.end();
  }
}

const postmaster = ({ served }: Context): number =>
  Number(readFileSync(path.join(served.folder, "postgres/postmaster.pid"), "utf8").split("\n")[0]);

/** Of the service and of the database. */
const timeOfBoth = (context: Context): number =>
  (processorTime(context.served.pid) ?? 0) + familyTime(postmaster(context));

async function costOfWriting(context: Context, client: pg.Client): Promise<Fact[]> {
  const { options, served } = context;
  const random = createRandom(seedOf("events", options.seed));
  const round = async (how: string, seconds: number) => {
    await client.query(how);
    await settle(served.connection);
    const before = timeOfBoth(context);
    const load = { port: served.port, token: served.tokens.administrator, connections: options.connections, seconds };
    const { perSecond, count, errors, error } = await runLoad({
      ...load,
      next: () => randomEdit(served.universe, random),
    });
    if (errors > 0) throw new Error(`${errors} edits failed: ${error}`);
    // What is published afterwards is part of it.
    await delay(2_500);
    return { perSecond, milliseconds: (timeOfBoth(context) - before) / count };
  };
  await round(KEEP, 1);
  const [time, rate]: [number[], number[]] = [[], []];
  let [own, bare] = [0, 0];
  for (let at = 0; at < options.rounds; at += 1) {
    const [first, second] = at % 2 === 0 ? ([KEEP, THROW_AWAY] as const) : ([THROW_AWAY, KEEP] as const);
    const results = [await round(first, options.seconds), await round(second, options.seconds)];
    const [kept, thrown] = first === KEEP ? results : results.reverse();
    if (!kept || !thrown) continue;
    time.push(kept.milliseconds / thrown.milliseconds);
    rate.push(kept.perSecond / thrown.perSecond);
    [own, bare] = [kept.milliseconds, thrown.milliseconds];
  }
  await client.query(KEEP);
  return [
    {
      name: "processor time of an edit with events",
      value: median(time),
      unit: "× without",
      note: `service and database: ${own.toFixed(2)} ms against ${bare.toFixed(2)} ms in the last round`,
    },
    { name: "edits per second with events", value: median(rate), unit: "× without" },
  ];
}

async function costOfReading(context: Context, client: pg.Client): Promise<Fact[]> {
  const { served } = context;
  const facts: Fact[] = [];
  for (const caller of ["administrator", "few"] as const) {
    const headers = { authorization: `Bearer ${served.tokens[caller]}` };
    const ask = async (query: string) => {
      const answer = await fetch(`http://127.0.0.1:${served.port}/core/changes/index.json?${query}`, { headers });
      if (!answer.ok) throw new Error(`changes answered ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { data: { changes: unknown[] }; cursor: string; more: number };
    };
    const start = await ask("");
    // Those of the edits above, as often as it takes: each with a revision to be read.
    const { rowCount } = await client.query(`
      insert into core__pending_events (organization_id, record_type, record_id, operation, revision, acl_before, acl_after)
      select organization_id, record_type, record_id, operation, revision, acl_before, acl_after from (
        select * from core__events where operation = 'edit' and revision is not null and record_type = 'crm/leads'
          and organization_id = (select organization_id from crm__leads where id = 1) order by position desc limit 5000) e,
        generate_series(1, 1000) limit ${READ}`);
    const all = rowCount ?? 0;
    await ask(`after=${start.cursor}&limit=1`);
    const before = [processorTime(served.pid) ?? 0, familyTime(postmaster(context))] as const;
    const began = performance.now();
    let [told, pages, { cursor }, more] = [0, 0, start, 1];
    while (more === 1) {
      const page = await ask(`after=${cursor}&limit=1000`);
      told += page.data.changes.length;
      pages += 1;
      ({ cursor, more } = page);
    }
    const seconds = (performance.now() - began) / 1000;
    const own = ((processorTime(served.pid) ?? 0) - before[0]) / all;
    const theirs = (familyTime(postmaster(context)) - before[1]) / all;
    facts.push({
      name: `events per second looked through by one reader, ${caller}`,
      value: all / seconds,
      unit: "/s",
      note: `${told} of ${all} told in ${pages} pages; of each, ${(own * 1000).toFixed(0)} µs of the service and ${(theirs * 1000).toFixed(0)} µs of the database`,
    });
  }
  return facts;
}

interface Listener {
  heard: number;
  close(): void;
}

function listen(port: number, token: string): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    const listener: Listener = { heard: 0, close: () => socket.destroy() };
    socket.on("error", reject);
    socket.on("connect", () =>
      socket.write(encode({ path: "/core/changes/index.json", headers: "Accept: text/event-stream\r\n" }, token)),
    );
    socket.on("data", (chunk) => {
      resolve(listener);
      listener.heard += String(chunk).split("event: change").length - 1;
    });
  });
}

async function costOfListeners(context: Context): Promise<Fact[]> {
  const { served, options } = context;
  const tokens: string[] = [];
  for (let number = 1; tokens.length < LISTENERS / OF_ONE; number += 1) {
    const token = await login(served.port, `owner.${String(number).padStart(4, "0")}`).catch(() => undefined);
    if (token !== undefined) tokens.push(token);
    if (number > 100) throw new Error("there are too few owners to listen as");
  }
  const during = async (seconds: number, name: string): Promise<Fact> => {
    const [before, databaseBefore] = [processorTime(served.pid) ?? 0, familyTime(postmaster(context))];
    await delay(seconds * 1000);
    const own = ((processorTime(served.pid) ?? 0) - before) / (seconds * 10);
    const theirs = (familyTime(postmaster(context)) - databaseBefore) / (seconds * 10);
    return { name, value: own, unit: "% of a core", note: `and ${theirs.toFixed(1)} % of the database` };
  };
  // One source: a value that is there already is no change.
  const random = createRandom(seedOf("listeners", options.seed));
  const write = () =>
    startWrites(served.port, served.tokens.administrator, WRITES, () => randomEdit(served.universe, random));
  const seconds = options.seconds * options.rounds;
  const alone = write();
  const withoutAny = await during(seconds, `${WRITES} writes/s, nobody listens`);
  await alone.stop();
  await delay(2_500);
  const memory = residentMemory(served.pid) ?? 0;
  const listeners: Listener[] = [];
  for (const token of tokens) {
    listeners.push(...(await Promise.all(Array.from({ length: OF_ONE }, () => listen(served.port, token)))));
  }
  await delay(1_000);
  const after = residentMemory(served.pid) ?? 0;
  const quiet = await during(seconds, `${LISTENERS} listeners, nothing happens`);
  const writes = write();
  const busy = await during(seconds, `${LISTENERS} listeners beside ${WRITES} writes/s`);
  await writes.stop();
  await delay(1_500);
  const heard = listeners.reduce((sum, one) => sum + one.heard, 0);
  for (const listener of listeners) listener.close();
  return [
    withoutAny,
    quiet,
    { ...busy, note: `${busy.note}; ${heard} events told` },
    {
      name: `memory of ${LISTENERS} listeners`,
      value: after - memory,
      unit: "MiB",
      note: `${memory.toFixed(0)} MiB before, ${(residentMemory(served.pid) ?? 0).toFixed(0)} MiB at the end`,
    },
  ];
}
