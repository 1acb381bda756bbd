// A text as a QR code to scan.
import { useMemo } from "react";
import { encode } from "uqr";
import classes from "./mfa.module.css";

/** Cameras need a quiet frame of four modules. */
const QUIET = 4;

export function QrPicture({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, data } = useMemo(() => encode(text, { border: QUIET }), [text]);
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return (
    <svg
      className={classes.picture}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
