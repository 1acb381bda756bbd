// The shape of a picture while it is on its way: a line per kind.
import type { ReactNode } from "react";
import type { ViewKind } from "../../contract/view-kinds.ts";
import classes from "./chart-frame.module.css";

const sizes = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => 34 + ((index * 41) % 60));

const standing = (
  <span className={classes.standing}>
    {sizes(12).map((size) => (
      <i key={size} style={{ height: `${size}%` }} />
    ))}
  </span>
);

const lying = (
  <span className={classes.lying}>
    {sizes(7).map((size) => (
      <i key={size} style={{ width: `${size}%` }} />
    ))}
  </span>
);

const centred = (inside: ReactNode) => <span className={classes.centred}>{inside}</span>;

const shapes = {
  table: lying,
  line: standing,
  bar: lying,
  pie: centred(<span className={classes.ring} />),
  gauge: centred(<span className={classes.half} />),
  geo: centred(<i style={{ width: "90%", height: "80%" }} />),
  funnel: (
    <span className={classes.lying}>
      {[92, 78, 60, 38].map((size) => (
        <i key={size} style={{ width: `${size}%` }} />
      ))}
    </span>
  ),
  number: <i style={{ width: 120, height: 32 }} />,
  kanban: (
    <span className={classes.lanes}>
      {[4, 3, 5, 2, 3].map((cards, lane) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
        <span key={lane}>
          {sizes(cards).map((size) => (
            <i key={size} />
          ))}
        </span>
      ))}
    </span>
  ),
  calendar: (
    <span className={classes.days}>
      {Array.from({ length: 35 }, (_, day) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
        <i key={day} />
      ))}
    </span>
  ),
} satisfies Record<ViewKind, ReactNode>;

export function ChartSkeleton({ kind, isTile }: { readonly kind: ViewKind; readonly isTile: boolean }) {
  return (
    <div className={classes.skeletons} data-tile={isTile || undefined} aria-hidden="true">
      {shapes[kind]}
    </div>
  );
}
