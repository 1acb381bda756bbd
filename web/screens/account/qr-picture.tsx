// A text as a QR code to scan; nothing where it is too long for one.
import { useMemo } from "react";
import classes from "./mfa.module.css";
import { qrCode } from "./qr-code.ts";

/** Cameras need a quiet frame of four modules. */
const QUIET = 4;

export function QrPicture({ text, label }: { readonly text: string; readonly label: string }) {
  const modules = useMemo(() => qrCode(text), [text]);
  if (modules === undefined) return null;
  const size = modules.length + 2 * QUIET;
  const path = modules
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])))
    .join("");
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
