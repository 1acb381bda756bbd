// After an upgrade, the files that an open page has yet to load may be gone. Tells such a failure from others, finds out whether the
// service has another version of the app by now, and loads the page anew, once per version.
const RELOADED_FOR = "dossier.reloaded_for";
const MOST_REMEMBERED = 20;
const ANSWER_MS = 4000;

/** What browsers, and the loader of styles, say of a file that can't be loaded. */
const sayings = [
  "Failed to fetch dynamically imported module",
  "error loading dynamically imported module",
  "Importing a module script failed",
  "Unable to preload CSS",
];

/** In words of our own: by the browser's, the router would load the page anew at once, even without a connection. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super("A file of the app can't be loaded", { cause });
  }
}

export const isPartMissing = (error: unknown): boolean =>
  error instanceof PartMissing ||
  (error instanceof Error && sayings.some((saying) => error.message.startsWith(saying)));

/** The files that a page starts from: their names change with every version. */
const entryOf = (page: Document): string =>
  [...page.querySelectorAll("script[type=module][src]")].map((one) => one.getAttribute("src")).join(" ");

/** Undefined: this page is as new as the service, or the service can't be reached. */
export async function newVersion(): Promise<string | undefined> {
  try {
    const answer = await fetch("/", {
      headers: { accept: "text/html" },
      cache: "no-store",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (!answer.ok) return undefined;
    const entry = entryOf(new DOMParser().parseFromString(await answer.text(), "text/html"));
    return entry === "" || entry === entryOf(document) ? undefined : entry;
  } catch {
    return undefined;
  }
}

/** In a rolling upgrade, the old version and the new one may answer in turn: all versions that were loaded count. */
const reloadedFor = (): readonly unknown[] => {
  const versions: unknown = JSON.parse(sessionStorage.getItem(RELOADED_FOR) ?? "[]");
  return Array.isArray(versions) ? versions : [];
};

/** False where that did not help before: somebody has to decide. */
export function reloadOnce(version: string): boolean {
  try {
    const versions = reloadedFor();
    if (versions.includes(version)) return false;
    sessionStorage.setItem(RELOADED_FOR, JSON.stringify([...versions, version].slice(-MOST_REMEMBERED)));
  } catch {
    // Nothing is remembered here, so nothing would keep it from going on forever.
    return false;
  }
  location.reload();
  return true;
}
