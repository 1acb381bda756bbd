// The shape of a list while it is on its way.
import { Skeleton } from "@mantine/core";
import classes from "./list-screen.module.css";

export function ListSkeleton({ bodyOnly = false }: { readonly bodyOnly?: boolean }) {
  return (
    <div className={classes.list} aria-hidden="true">
      {!bodyOnly && (
        <>
          <div className={classes.toolbar}>
            <Skeleton w={18} h={18} />
            <Skeleton w={120} h={14} />
            <Skeleton w={110} h={14} />
          </div>
          <div className={classes.skeletonControls}>
            <Skeleton w={60} h={14} />
          </div>
        </>
      )}
      <div className={classes.skeletons}>
        {Array.from({ length: 16 }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
          <div key={row} className={classes.skeletonRow}>
            {[168, 110, 96, 132, 88, 120].map((width, column) => (
              <i key={width} style={{ width: width - ((row * 29 + column * 17) % 48) }} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
