// What the service says only once: links to pass on and the secrets of new API keys and webhooks. Takes the answer to a write; keeps what
// is in it in memory until somebody closes the dialog that shows it. Never stores it.
import { useSyncExternalStore } from "react";

export interface ShownOnce {
  readonly kind: "invitation_link" | "password_link" | "api_key" | "webhook_secret" | "feed_address";
  readonly value: string;
}

let waiting: readonly ShownOnce[] = [];
const listeners = new Set<() => void>();

function become(next: readonly ShownOnce[]): void {
  waiting = next;
  for (const listener of listeners) listener();
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Links are paths of this service; whoever gets one needs the whole address. */
export function onceIn(answer: unknown, origin: string): readonly ShownOnce[] {
  if (!isObject(answer)) return [];
  const { invitation_links: links, webhook_secret: secret, feed_address: feed, data } = answer;
  const paths = isObject(links) ? Object.values(links).filter((path) => typeof path === "string") : [];
  const key = isObject(data) && isObject(data.api_keys) ? data.api_keys.secret : undefined;
  return [
    ...paths.map((path): ShownOnce => {
      const { href, pathname } = new URL(path, origin);
      return { kind: pathname.endsWith("/signup") ? "invitation_link" : "password_link", value: href };
    }),
    ...(typeof secret === "string" ? [{ kind: "webhook_secret", value: secret } as const] : []),
    ...(typeof feed === "string" ? [{ kind: "feed_address", value: new URL(feed, origin).href } as const] : []),
    ...(typeof key === "string" ? [{ kind: "api_key", value: key } as const] : []),
  ];
}

/** Opens the dialog where the answer holds something that no other answer will. */
export function showOnce(answer: unknown): void {
  const found = onceIn(answer, location.origin);
  if (found.length > 0) become([...waiting, ...found]);
}

export const forgetShownOnce = (): void => become(waiting.slice(1));

/** What nobody looked at is gone with the frame that shows it: who signs in next does not see it. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    waiting = [];
  };
}

export const useShownOnce = (): ShownOnce | undefined => useSyncExternalStore(subscribe, () => waiting[0]);
