// Runs axe in a page; gives what it calls serious or worse, a sentence each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RunOptions } from "axe-core";
import type { Page } from "playwright-core";

interface Look extends RunOptions {
  /** What was looked at before: the same on every page. */
  readonly exclude?: readonly string[];
  /** Where there is such a part, it and what lies over the page are looked at alone. */
  readonly within?: string;
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

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8") + readColorsOnce;

export async function seriousFaults(
  page: Page,
  { exclude = [], within, ...options }: Look,
): Promise<readonly string[]> {
  const rules = { ...Object.fromEntries(neverSerious.map((id) => [id, { enabled: false }])), ...options.rules };
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const { violations } = await page.evaluate(
    ({ part, around, how }) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      const isOpen = part !== undefined && [...document.querySelectorAll(part)].some((one) => one.checkVisibility());
      // What a dialog opens lies beside it.
      const include = isOpen ? [["[data-portal]"]] : [];
      return axe.run({ include, exclude: around }, how);
    },
    {
      part: within,
      around: exclude.map((selector) => [selector]),
      how: { resultTypes: ["violations" as const], ...options, rules },
    },
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join("; ")}`);
}
