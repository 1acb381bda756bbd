// Measures a row: the service, the service beside writes, and what it is compared with, in turns, so that whatever else the
// machine does falls on all of them alike.

import { type Round, ratios, sideOf } from "./load/figures.ts";
import { type Asked, runLoad } from "./load/http-load.ts";
import { startWrites } from "./load/paced-writes.ts";
import type { Options } from "./options.ts";
import type { CallerName } from "./organization/people.ts";
import type { ResultRow } from "./report/result.ts";
import { processorTime } from "./serve/process-figures.ts";
import { type Served, settle } from "./serve/serve.ts";
import { createRandom, type Random, seedOf } from "./traffic/random.ts";
import { writeTraffic } from "./traffic/writes.ts";

export interface Context {
  readonly options: Options;
  readonly size: string;
  readonly served: Served;
  readonly say: (line: string) => void;
}

export interface Compared {
  readonly name: string;
  readonly caller: CallerName;
  readonly next: (random: Random) => Asked;
  readonly reference?: {
    readonly what: string;
    /** Undefined where it cannot run here. */
    readonly run: (seconds: number, seed: number) => Promise<Round | undefined>;
  };
  /** Whether it is measured again beside writes. */
  readonly besideWrites: boolean;
}

/** A round of the service alone. */
export async function askService(
  { options, served }: Pick<Context, "options" | "served">,
  { caller, next }: Pick<Compared, "caller" | "next">,
  seed: number,
  seconds: number = options.seconds,
): Promise<Round> {
  const random = createRandom(seed);
  const before = processorTime(served.pid);
  const round = await runLoad({
    port: served.port,
    token: served.tokens[caller],
    connections: options.connections,
    seconds,
    next: () => next(random),
  });
  const after = processorTime(served.pid);
  return before === undefined || after === undefined || round.count === 0
    ? round
    : { ...round, cpu: (after - before) / round.count };
}

async function askBesideWrites(context: Context, row: Compared, rate: number, seed: number) {
  const { served } = context;
  const random = createRandom(seedOf("writes", seed));
  const write = writeTraffic(served.universe);
  const writes = startWrites(served.port, served.tokens.administrator, rate, () => write(random));
  const service = await askService(context, row, seed);
  return { service, write: await writes.stop() };
}

export async function compare(context: Context, row: Compared): Promise<ResultRow> {
  const { options, say } = context;
  const service: Round[] = [];
  const reference: Round[] = [];
  const rates = row.besideWrites ? options.writes : [];
  const beside = rates.map((rate) => ({ rate, service: [] as Round[], write: [] as Round[] }));
  const seedFor = (round: number) => seedOf(options.seed, row.name, row.caller, round);

  const askReference = async (round: number, seconds: number) => row.reference?.run(seconds, seedFor(round));
  // A whole round: code is compiled as it is used, and plans are made.
  await askService(context, row, seedFor(-1));
  await askReference(-1, Math.min(1, options.seconds));
  for (let round = 0; round < options.rounds; round += 1) {
    const turns = [
      async () => void service.push(await askService(context, row, seedFor(round))),
      async () => {
        const one = await askReference(round, options.seconds);
        if (one) reference.push(one);
      },
    ];
    // Whoever goes second finds the machine warm: they take turns at that too.
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) {
      await settle(context.served.connection);
      await turn();
    }
    for (const one of beside) {
      await settle(context.served.connection);
      const asked = await askBesideWrites(context, row, one.rate, seedFor(round));
      one.service.push(asked.service);
      one.write.push(asked.write);
    }
  }
  const compared =
    row.reference && reference.length > 0 ? { what: row.reference.what, ...sideOf(reference) } : undefined;
  const ratio = ratios(service, reference);
  const result: ResultRow = {
    name: row.name,
    caller: row.caller,
    service: sideOf(service),
    ...(compared ? { reference: compared } : {}),
    ...(ratio ? { ratio } : {}),
    besideWrites: beside.map((one) => ({
      rate: one.rate,
      service: sideOf(one.service),
      ofQuiet: ratios(one.service, service),
      write: sideOf(one.write),
    })),
  };
  say(summary(result));
  return result;
}

const rate = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)}/s`;

function summary({ name, caller, service, reference, ratio, besideWrites }: ResultRow): string {
  const parts = [
    `${`${name}, ${caller}`.padEnd(58)} ${rate(service.perSecond.median).padStart(8)}`,
    `p50 ${service.p50.toFixed(1)} p95 ${service.p95.toFixed(1)} ms`,
    ...(reference && ratio
      ? [
          `${reference.what} ${rate(reference.perSecond.median)}: ${ratio.median.toFixed(2)} × (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)})`,
        ]
      : []),
    ...besideWrites.map(
      (one) =>
        `${one.rate} writes/s: ${rate(one.service.perSecond.median)} = ${one.ofQuiet?.median.toFixed(2)} of quiet, p95 ${one.service.p95.toFixed(0)} ms, a write p50 ${one.write.p50.toFixed(0)} ms`,
    ),
    ...(service.errors > 0 ? [`${service.errors} ERRORS: ${service.error}`] : []),
  ];
  return parts.join("  ");
}
