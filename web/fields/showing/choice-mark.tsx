// A choice by its label; where it has a color, in a pale pill of it.
import type { CSSProperties } from "react";
import type { ShownField } from "./shown-value.ts";
import classes from "./values.module.css";

interface ChoiceMarkProps {
  readonly label: string;
  /** A name of the palette or a hex code. */
  readonly color?: string | null | undefined;
}

export function ChoiceMark({ label, color }: ChoiceMarkProps) {
  if (!color) return <>{label}</>;
  const tint = color.startsWith("#") ? color : `var(--mantine-color-${color}-6)`;
  const style: CSSProperties & Record<"--tint", string> = { "--tint": tint };
  return (
    <span className={classes.choice} style={style}>
      <i aria-hidden="true" />
      {label}
    </span>
  );
}

/** The option that a value names; `text` is what it is called where the options are not known. */
export function choiceMark(options: ShownField["options"], value: string, text?: string | null) {
  const option = options?.find((one) => one.value === value);
  return <ChoiceMark label={option?.label ?? text ?? value} color={option?.color} />;
}
