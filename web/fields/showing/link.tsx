// A value that leads somewhere, in a table or on a page.
import type { ReactNode } from "react";
import { Face } from "../../parts/layout/face.tsx";
import classes from "./values.module.css";

interface LinkOptions {
  readonly tabIndex?: number | undefined;
  /** Out of the app. */
  readonly outside?: boolean;
}

export const link = (address: string, content: string, { tabIndex, outside }: LinkOptions): ReactNode => (
  <a
    href={address}
    tabIndex={tabIndex}
    dir="auto"
    // It may be cut where there is little room.
    title={content}
    className={classes.link}
    {...(outside ? { target: "_blank", rel: "noreferrer" } : {})}
  >
    {content}
  </a>
);

/** Written from left to right in every language. */
export const code = (value: string): ReactNode => (
  <span className={classes.code} dir="ltr">
    {value}
  </span>
);

export const withFace = (name: string, content: ReactNode): ReactNode => (
  <span className={classes.withFace}>
    <Face name={name} size={18} />
    {content}
  </span>
);
