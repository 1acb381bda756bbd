// The colors of pictures in the present scheme, read from the page where it has them. The palette is told apart by
// people with any of the common color vision deficiencies (hues differ in lightness too), with 3:1 against the page.
import { useComputedColorScheme, useDirection } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import { useMemo } from "react";

export interface Look {
  readonly text: string;
  readonly dimmed: string;
  readonly hairline: string;
  readonly page: string;
  readonly accent: string;
  /** From little to much. */
  readonly scale: readonly string[];
  /** Land without a value. */
  readonly land: string;
  readonly palette: readonly string[];
  readonly font: string;
  readonly isRtl: boolean;
  readonly animates: boolean;
}

const light = {
  accent: "#5558c4",
  scale: ["#d9daf5", "#a5a7e6", "#7376d3", "#4547b8", "#2c2e7d"],
  land: "#ececef",
  palette: ["#5558c4", "#d17a00", "#0e8577", "#c0427a", "#5e7a12", "#2f8fce", "#8d5a3b", "#70727b"],
};

const dark = {
  accent: "#8c8fe0",
  scale: ["#2b2d55", "#43468f", "#6467c4", "#9295e6", "#c9caf6"],
  land: "#232529",
  palette: ["#8c8fe0", "#e8a33d", "#3fb8a7", "#e57fab", "#a9bf4a", "#6fbdf0", "#c4977a", "#9fa2ab"],
};

export function useLook(): Look {
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const { dir } = useDirection();
  const still = useReducedMotion(false, { getInitialValueInEffect: false });
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const color = (name: string): string => style.getPropertyValue(name).trim();
    return {
      ...(scheme === "dark" ? dark : light),
      text: color("--mantine-color-text"),
      dimmed: color("--mantine-color-dimmed"),
      hairline: color("--dossier-hairline"),
      page: color("--mantine-color-body"),
      font: style.getPropertyValue("--mantine-font-family").trim() || "system-ui, sans-serif",
      isRtl: dir === "rtl",
      animates: !still,
    };
  }, [scheme, dir, still]);
}

/** Colors by place; the ninth thing looks like the first, and has its label to tell it. */
export const colorAt = ({ palette, accent }: Look, index: number): string => palette[index % palette.length] ?? accent;

/** What every picture has: its font, its tooltip, its motion. */
export const groundOf = (look: Look) => ({
  textStyle: { fontFamily: look.font, fontSize: 12, color: look.dimmed },
  animation: look.animates,
  animationDuration: 350,
  animationDurationUpdate: 250,
  tooltip: {
    confine: true,
    backgroundColor: look.page,
    borderColor: look.hairline,
    borderWidth: 1,
    padding: [6, 10],
    textStyle: { color: look.text, fontSize: 12 },
    extraCssText: "box-shadow: var(--mantine-shadow-md); border-radius: 6px;",
  },
});
