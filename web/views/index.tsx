// The kinds of views: a line per kind. What draws one is fetched when it is first looked at; the table is the list
// screen's own.
import {
  type Icon,
  IconCalendar,
  IconChartBar,
  IconChartDonut,
  IconChartLine,
  IconFilter,
  IconGauge,
  IconLayoutKanban,
  IconNumber,
  IconTable,
  IconWorld,
} from "@tabler/icons-react";
import { type ComponentType, lazy } from "react";
import type { Asked } from "../../client/lists/lists.ts";
import type { ViewKind } from "../../contract/view-kinds.ts";
import { withFieldParts } from "../fields/with-field-parts.ts";
import type { ChartProps } from "./chart-props.ts";
import { NumberView } from "./number/number-view.tsx";

export interface ViewKindParts {
  readonly icon: Icon;
  /** Undefined for the table. */
  readonly Picture: ComponentType<ChartProps> | undefined;
  /** The page that it starts from; what it needs beyond that it asks for itself. */
  readonly asks: Asked;
}

/** As many groups as the view says, of a large table estimated at first. */
const groups: Asked = { mayEstimate: true };
/** Only what the view says of itself. */
const head: Asked = { limit: 1 };

export const viewKindParts = {
  table: { icon: IconTable, Picture: undefined, asks: groups },
  line: {
    icon: IconChartLine,
    Picture: lazy(async () => ({ default: (await import("./charts.ts")).LineView })),
    asks: groups,
  },
  pie: {
    icon: IconChartDonut,
    Picture: lazy(async () => ({ default: (await import("./charts.ts")).PieView })),
    asks: groups,
  },
  bar: {
    icon: IconChartBar,
    Picture: lazy(async () => ({ default: (await import("./charts.ts")).BarView })),
    asks: groups,
  },
  gauge: {
    icon: IconGauge,
    Picture: lazy(async () => ({ default: (await import("./charts.ts")).GaugeView })),
    asks: groups,
  },
  geo: {
    icon: IconWorld,
    Picture: lazy(async () => ({ default: (await import("./geo/geo-view.tsx")).GeoView })),
    asks: groups,
  },
  kanban: {
    icon: IconLayoutKanban,
    Picture: lazy(async () => ({
      default: (await withFieldParts(() => import("./kanban/kanban-view.tsx"))).KanbanView,
    })),
    asks: head,
  },
  calendar: {
    icon: IconCalendar,
    Picture: lazy(async () => ({ default: (await import("./calendar/calendar-view.tsx")).CalendarView })),
    asks: head,
  },
  funnel: {
    icon: IconFilter,
    Picture: lazy(async () => ({ default: (await import("./charts.ts")).FunnelView })),
    asks: groups,
  },
  number: {
    icon: IconNumber,
    Picture: NumberView,
    asks: groups,
  },
} satisfies Record<ViewKind, ViewKindParts>;

export const partsOf = (kind: ViewKind): ViewKindParts => viewKindParts[kind];

export function ViewIcon({ kind }: { readonly kind: ViewKind }) {
  const Found = viewKindParts[kind].icon;
  return <Found size={15} stroke={1.6} aria-hidden="true" />;
}
