// Exchange rates of the demo's year: what a euro buys at the start of each month and on its last day. They wander from
// a believable start by chance that repeats itself, and say that they are no real rates.
import { DAY, HOUR } from "./calendar.ts";
import { randomFrom } from "./random.ts";
import { type DemoRow, type MasterId, toRow } from "./row.ts";
import { administrator, demoOrganization } from "./staff.ts";

const starts: Readonly<Record<string, readonly [rate: number, places: number]>> = {
  AUD: [1.66, 4],
  BRL: [5.9, 4],
  CAD: [1.5, 4],
  CHF: [0.95, 4],
  GBP: [0.85, 5],
  INR: [92, 3],
  JPY: [162, 2],
  KWD: [0.335, 4],
  MXN: [19.8, 4],
  NOK: [11.6, 4],
  PLN: [4.3, 4],
  SEK: [11.3, 4],
  SGD: [1.44, 4],
  USD: [1.09, 4],
};

export function rateRows({ start, end }: { readonly start: number; readonly end: number }, masterId: MasterId) {
  const days = daysOf(start, end - DAY);
  const rows: DemoRow[] = [];
  const base = masterId("masters/currencies", demoOrganization.currency);
  for (const [code, [first, places]] of Object.entries(starts)) {
    const random = randomFrom(`rates ${code}`);
    let rate = first;
    for (const day of days) {
      rate *= 1 + Math.max(-0.03, Math.min(0.03, random.normal(0, 0.009)));
      const record = { id: rows.length + 1, created: day + 15 * HOUR, author: administrator, owner: administrator };
      rows.push(
        toRow(
          { ...record, group: null },
          {
            date: new Date(day).toISOString().slice(0, 10),
            base_id: base,
            currency_id: masterId("masters/currencies", code),
            rate: rate.toFixed(places) + "0".repeat(6 - places),
            source: "Demo data",
          },
        ),
      );
    }
  }
  return rows;
}

/** The first day, the first of each month after it, and the last day. */
function daysOf(first: number, last: number): number[] {
  const days = new Set([first]);
  for (let month = new Date(first).getUTCMonth() + 1; ; month += 1) {
    const day = Date.UTC(new Date(first).getUTCFullYear(), month, 1);
    if (day >= last) break;
    days.add(day);
  }
  return [...days, last];
}
