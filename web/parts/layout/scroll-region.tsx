// A box that scrolls sideways when its content is wider than the screen; reachable by keyboard, so that it can be scrolled.
import type { ReactNode } from "react";
import classes from "./scroll-region.module.css";

export function ScrollRegion({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll
    <section className={classes.region} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
