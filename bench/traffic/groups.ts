// The charts that people look at: leads by status, source, month and owner, of all leads or of some.

import { readable } from "../lean/list-statements.ts";
import type { Script } from "../lean/pgbench.ts";
import type { CallerName } from "../organization/people.ts";
import type { Universe } from "../organization/universe.ts";
import type { Traffic } from "./lists.ts";
import type { Random } from "./random.ts";

interface Chart {
  readonly fields: readonly string[];
  readonly group: readonly string[];
  readonly lean: { readonly select: string; readonly group: string };
}

const byStatus: Chart = {
  fields: ["leads.status", "count(leads.id)"],
  group: ["leads.status"],
  lean: { select: "r.status, count(*)", group: "r.status" },
};

const charts: readonly Chart[] = [
  byStatus,
  {
    fields: ["leads.source", "count(leads.id)", "avg(leads.score)"],
    group: ["leads.source"],
    lean: { select: "r.source, count(*), avg(r.score)", group: "r.source" },
  },
  {
    fields: ["month(leads.created)", "leads.status", "count(leads.id)"],
    group: ["month(leads.created)", "leads.status"],
    lean: { select: "date_trunc('month', r.created), r.status, count(*)", group: "1, 2" },
  },
  {
    fields: ["leads.owned_by", "count(leads.id)"],
    group: ["leads.owned_by"],
    lean: { select: "r.owned_by, count(*)", group: "r.owned_by" },
  },
];

/** None, or one value of a choice. */
const filters: readonly { readonly where?: Readonly<Record<string, string>>; readonly lean?: string }[] = [
  {},
  ...["hot", "warm", "cold"].map((value) => ({ where: { "leads.rating": value }, lean: `r.rating = '${value}'` })),
  ...["manufacturing", "technology", "energy", "automotive"].map((value) => ({
    where: { "leads.industry": value },
    lean: `r.industry = '${value}'`,
  })),
];

const pathOf = ({ fields, group }: Chart, where?: Readonly<Record<string, string>>): string =>
  `/crm/leads/index.json?track_open=0&q=${encodeURIComponent(JSON.stringify({ fields, group, ...(where ? { where } : {}) }))}`;

const leanChart = (universe: Universe, caller: CallerName, { lean }: Chart, condition?: string): string =>
  `select ${lean.select} from crm__leads r where ${readable(universe, caller)}${condition ? ` and ${condition}` : ""} group by ${lean.group};\n`;

export function groupTraffic(universe: Universe, caller: CallerName): readonly Traffic[] {
  const varied: readonly Script[] = charts.flatMap((chart) =>
    filters.map(({ lean }) => ({ text: leanChart(universe, caller, chart, lean), weight: 1 })),
  );
  return [
    {
      name: "chart by status, the same again and again",
      caller,
      next: () => ({ path: pathOf(byStatus) }),
      scripts: [{ text: leanChart(universe, caller, byStatus), weight: 1 }],
    },
    {
      name: "charts, varied",
      caller,
      next: (random: Random) => ({ path: pathOf(random.pick(charts), random.pick(filters).where) }),
      scripts: varied,
    },
  ];
}
