// The component of a route, fetched when it is first needed. Where that fails, the route's error boundary says so and can try again.
import { lazyRouteComponent } from "@tanstack/react-router";
import { isPartMissing, PartMissing } from "./new-version.ts";

/** Styles that could not be loaded: the bundler's loader asks for each only once. */
const lostStyles = new Set<HTMLLinkElement>();

const noteLostStyle = ({ target }: Event): void => {
  if (target instanceof HTMLLinkElement && target.rel === "stylesheet") lostStyles.add(target);
};
window.addEventListener("error", noteLostStyle, { capture: true });

function loadStyle(lost: HTMLLinkElement): Promise<void> {
  lostStyles.delete(lost);
  const link = document.createElement("link");
  for (const { name, value } of lost.attributes) link.setAttribute(name, value);
  return new Promise((resolve) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => resolve());
    lost.replaceWith(link);
  });
}

async function loadAgain<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    await Promise.all([...lostStyles].map(loadStyle));
    return await load();
  } catch (error) {
    throw isPartMissing(error) ? new PartMissing(error) : error;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as the router declares it
export const lazyScreen = <Module extends Record<string, any>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(() => loadAgain(load), name);
