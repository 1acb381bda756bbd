// Takes the arguments of `npm run bench --`; gives what to measure, on what, and for how long.
import path from "node:path";
import { parseArgs } from "node:util";
import { root } from "../server/lib/root.ts";
import { type CallerName, callerNames } from "./organization/people.ts";

export interface Options {
  readonly sections: readonly string[];
  readonly data: string;
  readonly out: string;
  readonly sizes: readonly string[];
  readonly seed: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** Writes per second beside which reading is measured again. */
  readonly writes: readonly number[];
  readonly callers: readonly CallerName[];
  /** Rows whose name has one of these in it, with commas between them. */
  readonly only: string;
  readonly port: number;
  readonly inPlace: boolean;
  /** Of a soak. */
  readonly minutes: number;
  readonly help: boolean;
  /** What `guard` compares with: a commit; the last release unless told. */
  readonly against: string | undefined;
  /** Where peers are installed. */
  readonly peers: string;
}

export const usage = `npm run bench -- [section …] [options]    measure: all sections, or those that are named
npm run bench -- data [options]           build the data and nothing else
npm run bench -- peers [options]          against Directus, NocoDB and Strapi, installed by npm, and a bare service
npm run bench -- import-peers [options]   the same 100,000 rows of a file into us and into Directus
npm run bench -- design [options]         design steps on a large table, and what others notice of them
npm run bench -- web [--against COMMIT]   what people do in the browser, as multiples of a fixed amount of script work
npm run bench -- guard [options]          this commit against another one; fails beyond 15 % loss
npm run bench -- soak [--minutes 60]      200 people over three processes that are killed and restarted; fails if anything is lost
  --size 10k,1m,10m    rows of data (1m)
  --data DIR           where the data is kept and used again (data/bench)
  --out DIR            where the JSON and RESULTS.md go (bench/results, bench/RESULTS.md)
  --seconds 5          of each round
  --rounds 3           of each row, in turns with what it is compared with
  --connections 16
  --writes 5           writes per second beside which reading is measured again (1,5,50; 0: none)
  --callers …          administrator,half,few
  --only TEXT,…        rows whose name has one of these texts in it
  --seed 1             of data and traffic
  --port 3990          the first of the ports that are used
  --in-place           serve the kept data itself, not a copy
  --against COMMIT     for guard: the last release unless told; for web: measure that one instead
  --peers DIR          for peers: where they are installed, and kept (data/bench/peers)`;

export const isWanted = (row: string, { only }: Pick<Options, "only">): boolean =>
  only.split(",").some((text) => row.includes(text));

export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      size: { type: "string", default: "1m" },
      data: { type: "string", default: path.join(root, "data/bench") },
      out: { type: "string", default: path.join(root, "bench") },
      seconds: { type: "string", default: "5" },
      rounds: { type: "string", default: "3" },
      connections: { type: "string", default: "16" },
      writes: { type: "string", default: "5" },
      callers: { type: "string", default: callerNames.join() },
      only: { type: "string", default: "" },
      seed: { type: "string", default: "1" },
      port: { type: "string", default: "3990" },
      minutes: { type: "string", default: "60" },
      "in-place": { type: "boolean", default: false },
      against: { type: "string" },
      peers: { type: "string", default: path.join(root, "data/bench/peers") },
      help: { type: "boolean", default: false },
    },
  });
  const number = (name: "seconds" | "minutes" | "rounds" | "connections" | "seed" | "port"): number => {
    const value = Number(values[name]);
    if (!(value > 0) && !(name === "port" && value === 0)) throw new Error(`--${name} must be a number above 0`);
    return value;
  };
  const callers = values.callers.split(",").map((name) => {
    const found = callerNames.find((caller) => caller === name);
    if (!found) throw new Error(`--callers must be some of ${callerNames.join()}`);
    return found;
  });
  return {
    sections: positionals,
    data: path.resolve(values.data),
    out: path.resolve(values.out),
    sizes: values.size.split(","),
    seed: number("seed"),
    seconds: number("seconds"),
    rounds: number("rounds"),
    connections: number("connections"),
    writes: values.writes
      .split(",")
      .map(Number)
      .filter((rate) => rate > 0),
    callers,
    only: values.only,
    port: number("port"),
    inPlace: values["in-place"],
    minutes: number("minutes"),
    against: values.against,
    peers: path.resolve(values.peers),
    help: values.help,
  };
}
