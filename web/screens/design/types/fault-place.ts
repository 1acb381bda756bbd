// Where a fault of a design is mended: inputs are marked with the paths of what they hold (`data-path`, several with spaces between).

/** The path and those that it is part of, the nearest first: `settings.options.0`, `settings.options`, `settings`. */
export function pathsAround(path: string): readonly string[] {
  const parts = path.split(".");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("."));
}

/** What an input of a field is marked with. */
export const fieldPaths = (id: string, paths: readonly string[]): string =>
  paths.map((path) => `field.${id}.${path}`).join(" ");

const INVALID = "[aria-invalid=true]";
const INPUTS = "input, textarea, select, button";

/** The input of that path; where none is marked with it, the first that was refused. */
export function placeOfFault(page: ParentNode, path: string): HTMLElement | null {
  for (const one of pathsAround(path)) {
    const marked = page.querySelector<HTMLElement>(`[data-path~="${CSS.escape(one)}"]`);
    if (marked?.matches(INPUTS)) return marked;
    const inside = marked?.querySelector<HTMLElement>(INVALID) ?? marked?.querySelector<HTMLElement>(INPUTS);
    if (inside) return inside;
  }
  return page.querySelector<HTMLElement>(INVALID);
}
