// Runs axe in a page; gives what it calls serious or worse, a sentence each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RunOptions } from "axe-core";
import type { Page } from "playwright-core";

interface Look extends RunOptions {
  /** What was looked at before: the same on every page. */
  readonly exclude?: readonly string[];
}

interface InPage {
  readonly axe: typeof import("axe-core");
  /** Kinds of text whose contrast is enough. */
  readonly enough: Set<string>;
  /** At a page that may have changed since. */
  lookAnew(): void;
}

/** Only what is serious is told. Most of these look at every element of a page, and none of them finds more than a moderate fault. */
const neverSerious = [
  ...["form-field-multiple-labels", "heading-order", "html-xml-lang-mismatch", "landmark-banner-is-top-level"],
  ...["landmark-contentinfo-is-top-level", "landmark-main-is-top-level", "landmark-no-duplicate-banner"],
  ...["landmark-no-duplicate-contentinfo", "landmark-no-duplicate-main", "landmark-one-main", "landmark-unique"],
  ...["meta-viewport", "no-autoplay-audio", "page-has-heading-one", "region", "scope-attr-valid", "skip-link"],
  ...["aria-allowed-role", "aria-deprecated-role", "empty-heading", "empty-table-header", "focus-order-semantics"],
  ...["hidden-content", "image-redundant-alt", "meta-viewport-large", "presentation-role-conflict"],
  ...["server-side-image-map", "table-duplicate-name"],
];

/** A page has few colors and many elements. axe reads the color of each of them anew, which is a third of its work. */
const readColorsOnce = `;{
  const { Color } = axe.commons.color;
  const read = Color.prototype.parseString;
  const known = new Map();
  Color.prototype.parseString = function (text) {
    const same = known.get(text);
    if (same === undefined) {
      read.call(this, text);
      known.set(text, new Color(this));
    } else {
      this.r = same.r;
      this.g = same.g;
      this.b = same.b;
      this.alpha = same.alpha;
    }
    return this;
  };
}
void 0;`;

/**
 * Contrast is most of axe's work, and the texts of all pages have few kinds of it. A text that is enough in its color, size and
 * place on its grounds is so wherever it comes again. Whatever stands out of the flow counts for itself: it may lie on anything.
 */
const judgeContrastOnce = `;{
  const check = axe._audit.checks["color-contrast"];
  const judge = check.evaluate;
  let grounds = new WeakMap();
  const groundOf = (element) => {
    if (!element) return "";
    const known = grounds.get(element);
    if (known !== undefined) return known;
    const { backgroundColor, backgroundImage, opacity, position, filter } = getComputedStyle(element);
    const isPlain = backgroundColor === "rgba(0, 0, 0, 0)" && backgroundImage === "none" && opacity === "1" && filter === "none";
    const own = isPlain ? "" : [backgroundColor, backgroundImage, opacity, filter].join(" ") + "/";
    const apart = position === "static" || position === "relative" ? "" : element.className + "/";
    const whole = own + apart + groundOf(element.parentElement ?? element.getRootNode().host);
    grounds.set(element, whole);
    return whole;
  };
  window.enough = new Set();
  window.lookAnew = () => { grounds = new WeakMap(); };
  check.evaluate = function (node, ...rest) {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(node);
    const kind = [color, fontSize, fontWeight, textShadow, groundOf(node)].join(" ");
    if (window.enough.has(kind)) {
      this.data({});
      return true;
    }
    const verdict = judge.call(this, node, ...rest);
    if (verdict === true) window.enough.add(kind);
    return verdict;
  };
}
void 0;`;

const source =
  readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8") +
  readColorsOnce +
  judgeContrastOnce;

/** Of all pages so far. */
let enough: readonly string[] = [];

export async function seriousFaults(page: Page, { exclude = [], ...options }: Look): Promise<readonly string[]> {
  const rules = { ...Object.fromEntries(neverSerious.map((id) => [id, { enabled: false }])), ...options.rules };
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const { violations, kinds } = await page.evaluate(
    async ({ around, how, known }) => {
      const own = window as unknown as InPage;
      for (const kind of known) own.enough.add(kind);
      own.lookAnew();
      const result = await own.axe.run({ include: [], exclude: around }, how);
      return { violations: result.violations, kinds: [...own.enough] };
    },
    {
      around: exclude.map((selector) => [selector]),
      how: { resultTypes: ["violations" as const], ...options, rules },
      known: enough,
    },
  );
  enough = kinds;
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join("; ")}`);
}
