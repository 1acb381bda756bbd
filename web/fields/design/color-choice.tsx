// A color of the palette, or none: a swatch that opens the others.
import { ColorSwatch, Popover, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./color-choice.module.css";
import { optionColors } from "./option-rows.ts";

interface ColorChoiceProps {
  /** Of what is colored. */
  readonly name: string;
  readonly color: string | undefined;
  readonly onChange: (color: string | undefined) => void;
}

/** Of a name of the palette, or a hex code. */
export const colorOf = (color: string | undefined): string =>
  color === undefined
    ? "transparent"
    : color.startsWith("#")
      ? color
      : `var(--mantine-color-${color}-${color === "gray" ? 5 : 6})`;

export function ColorChoice({ name, color: chosen, onChange }: ColorChoiceProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} shadow="md" trapFocus width={196} withinPortal={false}>
      <Popover.Target>
        <UnstyledButton
          className={classes.color ?? ""}
          aria-label={t("design.option_color", { name })}
          onClick={() => setOpened(!opened)}
        >
          <ColorSwatch size={16} color={colorOf(chosen)} withShadow={chosen === undefined} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={8} className={classes.palette ?? ""} aria-label={t("design.option_colors")}>
        {[undefined, ...optionColors].map((color) => (
          <UnstyledButton
            key={color ?? "none"}
            className={classes.color ?? ""}
            aria-pressed={chosen === color}
            aria-label={t(`design.colors.${color ?? "none"}`)}
            title={t(`design.colors.${color ?? "none"}`)}
            onClick={() => {
              onChange(color);
              setOpened(false);
            }}
          >
            <ColorSwatch size={18} color={colorOf(color)} withShadow={color === undefined} />
          </UnstyledButton>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}
