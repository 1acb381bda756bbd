// The color of a rule as a style: its tone of the palette, which the sheet mixes with the ground.
import type { CSSProperties } from "react";
import type { RuleColor } from "../../../../contract/view-look.ts";

export const toneOf = (color: RuleColor): string => `var(--mantine-color-${color}-${color === "gray" ? 5 : 6})`;

export const tintOf = (color: RuleColor | undefined): CSSProperties =>
  color === undefined ? {} : ({ "--tint": toneOf(color) } as CSSProperties); // a custom property is no name of its types
