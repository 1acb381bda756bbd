// A box that scrolls sideways when its content is wider than the screen; reachable by keyboard, so that it can be scrolled.
import type { ReactNode } from "react";
import classes from "./scroll-region.module.css";

interface ScrollRegionProps {
  readonly label: string;
  /** Of a picture that is the same in every language: it is seen from its beginning. */
  readonly dir?: "ltr";
  readonly children: ReactNode;
}

export function ScrollRegion({ label, dir, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll
    <section className={classes.region} aria-label={label} dir={dir} tabIndex={0}>
      {children}
    </section>
  );
}
