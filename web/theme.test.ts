// Contrast is a matter of colors, not of pages: what words are written in, on whatever they stand, in light and dark; and
// that no style sheet uses another color. The pages with most colors are looked at in a browser as well (test/web/accessible.test.ts).
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from "@mantine/core";
import { describe, expect, test } from "vitest";
import { ruleColors } from "../contract/view-look.ts";
import { toneOf } from "./screens/list/look/tint.ts";
import { colorVariables, theme } from "./theme.ts";

type Scheme = "light" | "dark";
type Rgb = readonly [red: number, green: number, blue: number];

const whole = mergeMantineTheme(DEFAULT_THEME, theme);
const [library, own] = [defaultCssVariablesResolver(whole), colorVariables(whole)];
const variables: Readonly<Record<Scheme, Readonly<Record<string, string>>>> = {
  light: { ...library.variables, ...library.light, ...own.variables, ...own.light },
  dark: { ...library.variables, ...library.dark, ...own.variables, ...own.dark },
};

function colorOf(text: string, scheme: Scheme): Rgb {
  const named = /^var\((--[\w-]+)\)$/.exec(text)?.[1];
  if (named !== undefined) return colorOf(variables[scheme][named] ?? `no ${named}`, scheme);
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(text);
  const parts = short
    ? short.slice(1).map((digit) => Number.parseInt(digit + digit, 16))
    : (/^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i
        .exec(text)
        ?.slice(1)
        .map((two) => Number.parseInt(two, 16)) ??
      /^rgba?\((\d+), (\d+), (\d+)(?:, 1)?\)$/.exec(text)?.slice(1).map(Number));
  const [red, green, blue] = parts ?? [];
  if (red === undefined || green === undefined || blue === undefined) throw new Error(`${text} is no color`);
  return [red, green, blue];
}

const mixed = (over: Rgb, share: number, ground: Rgb): Rgb => {
  const [red, green, blue] = over.map((part, index) => part * share + (ground[index] ?? 0) * (1 - share));
  return [red ?? 0, green ?? 0, blue ?? 0];
};

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const mantine = (name: string) => `var(--mantine-color-${name})`;
const dossier = (name: string) => `var(--dossier-${name})`;

const plain = [mantine("body"), dossier("sunken"), dossier("hover"), mantine("default"), mantine("default-hover")];
const grounds = [...plain, dossier("chosen"), dossier("accent-quiet")];
/** What words are written in, and where. */
const words: Readonly<Record<string, readonly string[]>> = {
  [mantine("text")]: grounds,
  [mantine("dimmed")]: grounds,
  [mantine("anchor")]: grounds,
  [mantine("error")]: grounds,
  // Inputs stand on the plain ones, and have no other while they are hovered.
  [mantine("placeholder")]: plain.filter((ground) => ground !== mantine("default-hover")),
  [dossier("yes")]: plain,
  [dossier("wait")]: plain,
  [mantine("white")]: ["var(--mantine-primary-color-filled)", mantine("red-filled"), mantine("gray-filled")],
  [mantine("gray-light-color")]: [...plain, mantine("gray-light"), mantine("gray-light-hover")],
  [mantine("iris-light-color")]: [...plain, mantine("iris-light"), mantine("iris-light-hover")],
  [mantine("red-light-color")]: [...plain, mantine("red-light"), mantine("red-light-hover")],
};

describe.each(["light", "dark"] as const)("in %s", (scheme) => {
  test.each(Object.keys(words))("%s is read wherever it stands", (word) => {
    const faint = (words[word] ?? []).flatMap((ground) => {
      const found = contrast(colorOf(word, scheme), colorOf(ground, scheme));
      return found < 4.5 ? [`${found.toFixed(2)} on ${ground}`] : [];
    });
    expect(faint).toEqual([]);
  });

  test("words are read on the tints of options and rules", () => {
    const body = colorOf(mantine("body"), scheme);
    const faint = ruleColors.flatMap((color) => {
      const found = contrast(colorOf(mantine("text"), scheme), mixed(colorOf(toneOf(color), scheme), 0.22, body));
      return found < 4.5 ? [`${found.toFixed(2)} on ${color}`] : [];
    });
    expect(faint).toEqual([]);
  });
});

test("style sheets write in these colors, and on these grounds", () => {
  const sheets = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".css"))
    .map((name) => ({ name, text: readFileSync(path.join(import.meta.dirname, name), "utf8") }));
  const used = (property: RegExp) =>
    new Set(sheets.flatMap(({ text }) => [...text.matchAll(property)].map(([, value = ""]) => value)));
  const others = (values: Set<string>, known: readonly string[]) =>
    [...values].filter((value) => !known.includes(value)).sort();
  expect(others(used(/^\s*color: ([^;]+);/gm), [...Object.keys(words), "inherit"])).toEqual([
    "#fff",
    "light-dark(var(--face-deep), var(--face-pale))",
    mantine("body"),
    "var(--tone)",
  ]);
  // Edges, dots and bars without words, and what the tests above and those of faces hold.
  expect(others(used(/^\s*background(?:-color)?: ([^;]+);/gm), [...grounds, "none", "transparent"])).toEqual([
    "#fff",
    "color-mix(in srgb, var(--tint) 12%, transparent)",
    ...[12, 20, 22, 8, 9].map((share) => `color-mix(in srgb, var(--tint) ${share}%, ${mantine("body")})`),
    "color-mix(in srgb, var(--tone) 7%, transparent)",
    "currentcolor",
    "light-dark(var(--face-pale), var(--face-deep))",
    dossier("hairline"),
    ...["anchor", "default-border", "error"].map(mantine),
    "var(--mantine-primary-color-filled)",
    "var(--tint)",
  ]);
});
