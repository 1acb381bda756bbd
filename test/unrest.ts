// Puts off what React puts off. A browser that is busy does so by itself, now and then: between a commit and its effects
// somebody presses a key, and an answer comes later than the next question.
import type { BrowserContext, Page } from "playwright-core";

/** UNREST: the longest delay in milliseconds. Every page dawdles at random then; what depends on who comes first fails soon. */
const longest = Number(process.env.UNREST ?? 0);

interface Turns {
  /** From the commit on that brings what the selector finds, nothing is done until it is released. */
  holdAt(selector: string): Promise<void>;
  release(): void;
}

declare global {
  interface Window {
    turns: Turns;
  }
}

/** Runs in the page, before the app: each turn of React comes after a random delay, ends with a commit, and can be held. */
function putOff(most: number): void {
  const later = window.setTimeout.bind(window);
  const now = performance.now.bind(performance);
  let started: number | undefined;
  let held: (() => void)[] | undefined;
  // React takes this one, where there is one, for all that need not happen at once.
  const setImmediate = (work: () => void): void => {
    const turn = (): void => {
      if (held !== undefined) {
        held.push(turn);
        return;
      }
      started = now();
      work();
      started = undefined;
    };
    later(turn, most > 0 && Math.random() < 0.4 ? Math.random() * most : 0);
  };
  // React asks for it with every commit, and ends its turn after 5 ms: what follows the commit is left to the next one.
  const focused = Object.getOwnPropertyDescriptor(Document.prototype, "activeElement")?.get;
  const activeElement = (): unknown => {
    while (started !== undefined && now() < started + 6);
    return focused?.call(document);
  };
  Object.defineProperty(document, "activeElement", { get: activeElement, configurable: true });
  const turns: Turns = {
    holdAt: (selector) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (document.querySelector(selector) === null) return;
          observer.disconnect();
          held = [];
          resolve();
        };
        const observer = new MutationObserver(look);
        observer.observe(document, { subtree: true, childList: true, attributes: true });
        look();
      }),
    release: () => {
      const waiting = held ?? [];
      held = undefined;
      for (const turn of waiting) later(turn);
    },
  };
  Object.assign(window, { setImmediate, turns });
}

/** For what happens between a commit and its effects: `window.turns` of the next page holds React there. */
export const holdTurns = (page: Page): Promise<unknown> => page.addInitScript(putOff, 0);

export async function unsettle(context: BrowserContext): Promise<void> {
  if (longest === 0) return;
  await context.addInitScript(putOff, longest);
  await context.addInitScript((most: number) => {
    const ask = window.fetch.bind(window);
    const pause = () => new Promise((done) => setTimeout(done, Math.random() < 0.4 ? Math.random() * most : 0));
    window.fetch = (...asked) =>
      pause()
        .then(() => ask(...asked))
        .finally(pause);
  }, longest);
  await context.route("**/assets/*.js", async (route) => {
    await new Promise((done) => setTimeout(done, Math.random() * longest));
    await route.fallback().catch(() => undefined);
  });
}
