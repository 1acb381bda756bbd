// `npx tsx bench/list/growth.ts 10k=FOLDER 10m=FOLDER`: serves both folders at once and asks them in turn, so that
// whatever else the machine does falls on both alike. Prints how page 1 grows with the table. Needs `npm run build`.
import { callerNames, listAddress, quantiles, serve, timeOf } from "./serve.ts";

const WARM_UP = 100;
const TIMES = Number(process.env.TIMES ?? 2_000);
const queries = { created: "", name: "sort=leads.name&dir=ASC" };

const [small, large] = process.argv.slice(2).map((argument) => argument.split("="));
if (!small?.[1] || !large?.[1]) throw new Error("Name two folders: 10k=FOLDER 10m=FOLDER");
const services = [await serve(small[1], 3997), await serve(large[1], 3998)] as const;
try {
  for (const name of callerNames) {
    for (const [order, query] of Object.entries(queries)) {
      const took: [number[], number[]] = [[], []];
      for (let count = 0; count < TIMES + WARM_UP; count += 1) {
        for (const index of [0, 1] as const) {
          const served = services[index];
          const one = await timeOf(listAddress(served, query), served.tokens.get(name) ?? "");
          if (count >= WARM_UP) took[index].push(one);
        }
      }
      const [before, after] = [quantiles(took[0]), quantiles(took[1])];
      const show = ([p50, p95]: readonly [number, number]) => `p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`;
      const ratio = (index: 0 | 1) => (after[index] / before[index]).toFixed(2);
      console.log(
        `${`${name}, ${order}`.padEnd(24)} ${small[0]}: ${show(before)}   ${large[0]}: ${show(after)}   growth p50 ${ratio(0)}, p95 ${ratio(1)}`,
      );
    }
  }
} finally {
  for (const service of services) await service.stop();
}
