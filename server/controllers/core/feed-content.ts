// Takes a list view and whoever reads it; gives its records as entries of a calendar, or as items of a feed. Bounded: what a person
// subscribes to is read again and again.
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import type { Database } from "../../database/database.ts";
import type { CalendarEntry } from "../../lib/writing/icalendar.ts";
import type { RssItem } from "../../lib/writing/rss.ts";
import { asSaved, planView } from "../../operations/plan-view.ts";
import type { Scope } from "../../plan/column.ts";
import type { ListView } from "../../plan/list-view.ts";
import type { ListPlan } from "../../plan/plan-list.ts";
import { type ExportColumn, exportRows } from "../../records/list/export-table.ts";
import { parseQ } from "../../request/q.ts";
import { isTree } from "../../request/tree.ts";

export interface FedView {
  readonly scope: Scope;
  readonly view: ListView;
  /** Where people reach the service; undefined: there are no links. */
  readonly base: string | undefined;
}

const MOST_ENTRIES = 2_000;
const MOST_ITEMS = 50;
const MOST_LINES = 8;

/** What a calendar view is drawn by. */
export function calendarOf({ query }: ListView): { readonly date: string; readonly isYearly: boolean } | undefined {
  const chart = query.more?.chart;
  if (!isTree(chart) || typeof chart.date !== "string") return undefined;
  return { date: chart.date, isYearly: chart.repeats === "year" };
}

export async function calendarEntries(db: Database, fed: FedView): Promise<readonly CalendarEntry[]> {
  const { type, now } = fed.scope;
  const calendar = calendarOf(fed.view);
  if (!calendar) throw new Failure("conflict", { with: { reason: say("feed_needs_calendar") } });
  const { date, isYearly } = calendar;
  const day = (years: number) => `${now.getUTCFullYear() + years}-01-01`;
  const around = { AND: [{ [date]: { op: ">=", value: day(-1) } }, { [date]: { op: "<", value: day(3) } }] };
  const where = isYearly ? { [date]: { op: "is not null" } } : around;
  const rows = await readRows(db, fed, { fields: [...basics(fed), date], where, order: [`${date} ASC`] }, MOST_ENTRIES);
  return rows.flatMap(({ id, name, modified, raw }) => {
    const start = raw(date);
    if (start === null) return [];
    const entry = { uid: `${type.key}/${id}@dossier`, start, summary: name, modified, url: urlOf(fed, id), isYearly };
    return [entry];
  });
}

/** The newest first. */
export async function rssItems(db: Database, fed: FedView): Promise<readonly RssItem[]> {
  const { type } = fed.scope;
  const planned = planView(fed.scope, fed.view, asSaved);
  // Of a chart, the records that it is drawn from.
  const columns = planned.kind === "rows" ? planned.plan.columns : [];
  const shown = columns.filter(({ properties }) => !properties.invisible).map(({ key }) => key);
  const known = basics(fed);
  const further = shown.filter((key) => !known.includes(key)).slice(0, MOST_LINES);
  const order = [`${type.alias}.modified DESC`];
  const rows = await readRows(db, fed, { fields: [...known, ...further], order }, MOST_ITEMS);
  return rows.map(({ id, name, modified, lines }) => ({
    guid: `${type.key}/${id}/${modified}`,
    title: name,
    lines: lines(known),
    modified,
    url: urlOf(fed, id),
  }));
}

const basics = ({ scope: { type } }: FedView): readonly string[] =>
  [...new Set(["id", type.displayField, "modified"])].map((name) => `${type.alias}.${name}`);

const urlOf = ({ base, scope: { type } }: FedView, id: string): string | undefined =>
  base === undefined ? undefined : new URL(`/${type.key}/view?id=${encodeURIComponent(id)}`, base).href;

function rowsOf(planned: ReturnType<typeof planView>): ListPlan {
  // With a message, it is another view in place of the one that was meant.
  if (planned.kind !== "rows" || planned.message.length > 0)
    throw new Failure("conflict", { with: { reason: say("feed_needs_list") } });
  return planned.plan;
}

interface FedRow {
  readonly id: string;
  readonly name: string;
  readonly modified: string;
  raw(key: string): string | null;
  /** What a person reads in every other column. */
  lines(except: readonly string[]): readonly string[];
}

async function readRows(db: Database, fed: FedView, q: object, most: number): Promise<readonly FedRow[]> {
  const { type } = fed.scope;
  const plan = rowsOf(planView(fed.scope, fed.view, { ...asSaved, q: parseQ(JSON.stringify(q)) }));
  const { columns, batches } = exportRows(db, plan, undefined, false);
  const rows: FedRow[] = [];
  try {
    for await (const batch of batches) {
      for (const values of batch.toArrays().slice(0, most - rows.length)) {
        rows.push(rowOf(type.alias, type.displayField, columns, values));
      }
      if (rows.length >= most) break;
    }
  } finally {
    await batches.return();
  }
  return rows;
}

function rowOf(
  alias: string,
  displayField: string,
  columns: readonly ExportColumn[],
  values: readonly (string | null)[],
): FedRow {
  const raw = (key: string) => values[columns.find((column) => column.key === key)?.at ?? -1] ?? null;
  return {
    id: raw(`${alias}.id`) ?? "",
    name: raw(`${alias}.${displayField}`) ?? "",
    modified: raw(`${alias}.modified`) ?? "",
    raw,
    lines: (except) =>
      columns.flatMap(({ key, title, at, display }) => {
        const text = values[at];
        // Of a reference its name is told, not its id.
        if (text == null || except.includes(key) || title.endsWith(" id")) return [];
        return [`${title}: ${display ? display(text) : text}`];
      }),
  };
}
