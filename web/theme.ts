// The look: one accent, neutral grays, Inter, hairlines. Colors are chosen for AA contrast in light and dark.
import {
  type ButtonProps,
  type CSSVariablesResolver,
  createTheme,
  type DrawerProps,
  type MantineColorsTuple,
  type ModalProps,
  type SelectProps,
  type SkeletonProps,
  type TableProps,
  type TooltipProps,
} from "@mantine/core";

const iris: MantineColorsTuple = [
  "#f1f1fc",
  "#e0e1f7",
  "#c3c4ee",
  "#a5a7e6",
  "#8c8fe0",
  "#7376d3",
  "#5a5dc8",
  "#4547b8",
  "#383a9b",
  "#2c2e7d",
];

const gray: MantineColorsTuple = [
  "#f8f8f9",
  "#f2f2f4",
  "#e8e8eb",
  "#dcdce0",
  "#c8c9ce",
  "#9c9ea6",
  "#70727b",
  "#55575f",
  "#383a40",
  "#1c1d21",
];

const dark: MantineColorsTuple = [
  "#e4e5e9",
  "#c2c4cb",
  "#9fa2ab",
  "#8b8e98",
  "#3a3c43",
  "#2a2c31",
  "#1c1d21",
  "#121316",
  "#0d0e10",
  "#08090a",
];

/** Darker than the library's from the middle on: white words on it must be read. */
const red: MantineColorsTuple = [
  "#fff5f5",
  "#ffe3e3",
  "#ffc9c9",
  "#ffa8a8",
  "#ff8787",
  "#fa5252",
  "#e03131",
  "#c92a2a",
  "#b02525",
  "#8f1d1d",
];

export const theme = createTheme({
  colors: { iris, gray, dark, red },
  primaryColor: "iris",
  primaryShade: 7,
  black: "#1c1d21",
  defaultRadius: "md",
  radius: { xs: "3px", sm: "4px", md: "6px", lg: "10px", xl: "16px" },
  fontFamily:
    '"Inter Variable", "Inter Fallback", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Arabic", "PingFang SC", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", Menlo, monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.125rem" },
  lineHeights: { xs: "1.4", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.4" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.25rem", lineHeight: "1.35" },
      h2: { fontSize: "0.9375rem", lineHeight: "1.4" },
      h3: { fontSize: "0.875rem", lineHeight: "1.4" },
    },
  },
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  // By name, not by `Component.extend`: that would bring every one of them to the login.
  components: {
    Button: { defaultProps: { size: "sm" } satisfies Partial<ButtonProps>, styles: { label: { fontWeight: 500 } } },
    TextInput: { defaultProps: { size: "sm" } },
    PasswordInput: { defaultProps: { size: "sm" } },
    // What is typed into one that can be searched is chosen by Enter.
    Select: { defaultProps: { size: "sm", selectFirstOptionOnChange: true } satisfies Partial<SelectProps> },
    InputWrapper: {
      styles: {
        label: { fontWeight: 500, marginBottom: 4 },
        error: { marginTop: 4 },
        description: { marginBottom: 4 },
      },
    },
    Table: {
      defaultProps: { verticalSpacing: 7, horizontalSpacing: "sm", fz: "sm" } satisfies Partial<TableProps>,
    },
    Modal: {
      defaultProps: {
        centered: true,
        radius: "lg",
        overlayProps: { backgroundOpacity: 0.35 },
      } satisfies Partial<ModalProps>,
      styles: { title: { fontWeight: 600, fontSize: "0.9375rem" } },
    },
    Drawer: {
      defaultProps: { overlayProps: { backgroundOpacity: 0.35 } } satisfies Partial<DrawerProps>,
      styles: { title: { fontWeight: 600, fontSize: "0.9375rem" } },
    },
    Tooltip: { defaultProps: { openDelay: 300, fz: "xs" } satisfies Partial<TooltipProps> },
    Skeleton: { defaultProps: { radius: "sm" } satisfies Partial<SkeletonProps> },
  },
});

export const colorVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-text": "#1c1d21",
    "--mantine-color-dimmed": "#62646d",
    "--mantine-color-placeholder": "#6c6e77",
    "--mantine-color-error": "#b3261e",
    "--mantine-color-default-border": "#dcdce0",
    "--mantine-color-anchor": "#4547b8",
    "--dossier-hairline": "#e8e8eb",
    "--dossier-sunken": "#f8f8f9",
    "--dossier-hover": "#f1f1f4",
    "--dossier-chosen": "#e9e9ee",
    "--dossier-yes": "#1d7a46",
    "--dossier-wait": "#8a5a00",
    "--dossier-accent-quiet": "#f1f1fc",
  },
  dark: {
    "--mantine-color-text": "#e4e5e9",
    "--mantine-color-dimmed": "#9fa2ab",
    "--mantine-color-placeholder": "#8b8e98",
    "--mantine-color-error": "#f2897f",
    "--mantine-color-default-border": "#34363c",
    "--mantine-color-anchor": "#a5a7e6",
    "--dossier-hairline": "#25272b",
    "--dossier-sunken": "#0d0e10",
    "--dossier-hover": "#1b1c20",
    "--dossier-chosen": "#24262b",
    "--dossier-yes": "#62c38d",
    "--dossier-wait": "#e0b25a",
    "--dossier-accent-quiet": "#1d1e33",
  },
});
