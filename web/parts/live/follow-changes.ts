// Refetches visible queries affected by other people's changes while the tab is visible. What one writes here is shown already.
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { client, session, sinceWrite } from "../../session/session.ts";
import { type Changed, changedBy, isConcerned } from "./changed-queries.ts";

/** The page itself comes first. */
const START_MS = 2_000;
const WAIT_SECONDS = 25;
/** The screen changes at most so often by itself, and less where that takes long. */
const PAUSE_MS = 700;
const PAUSES_PER_WORK = 4;
const MOST_AWAY_MS = 60_000;
/** One's own changes this soon after a write are those of this page. */
const OWN_MS = 5_000;

export function useLiveScreen(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const over = new AbortController();
    void follow(queryClient, over.signal);
    return () => over.abort();
  }, [queryClient]);
}

const isOwn = (by: string | null | undefined): boolean =>
  by != null && by === session.get().identity?.userId && sinceWrite() < OWN_MS;

async function follow(queryClient: QueryClient, signal: AbortSignal): Promise<void> {
  let cursor: string | undefined;
  let away = 1_000;
  await pause(START_MS, signal);
  while (!signal.aborted) {
    await untilVisible(signal);
    const looking = whileVisible(signal);
    try {
      const { changes, cursor: next } = await client.history.readChanges(cursor, WAIT_SECONDS, looking.signal);
      cursor = next;
      away = 1_000;
      const began = performance.now();
      await refresh(queryClient, changedBy(changes.filter(({ created_by }) => !isOwn(created_by))));
      if (changes.length > 0) {
        await pause(Math.max(PAUSE_MS, (performance.now() - began) * PAUSES_PER_WORK), signal);
      }
    } catch (error) {
      if (looking.signal.aborted) continue;
      if (error instanceof WireFailure && error.status === 410) {
        cursor = undefined;
        await refresh(queryClient, { records: new Map(), everything: true });
      } else {
        await pause(away, signal);
        away = Math.min(away * 2, MOST_AWAY_MS);
      }
    } finally {
      looking.end();
    }
  }
}

async function refresh(queryClient: QueryClient, changed: Changed): Promise<void> {
  if (!changed.everything && changed.records.size === 0) return;
  const concerned = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => isConcerned(changed, queryKey) };
  await queryClient.invalidateQueries({ ...concerned, refetchType: "active" }, { cancelRefetch: false });
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === "visible" || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== "visible" && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look, { once: true });
  });
}

/** Aborted when the page is no longer looked at: nobody waits for what nobody sees. */
function whileVisible(signal: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const gone = new AbortController();
  const look = () => {
    if (document.visibilityState !== "visible" || signal.aborted) gone.abort();
  };
  document.addEventListener("visibilitychange", look);
  signal.addEventListener("abort", look);
  return {
    signal: gone.signal,
    end: () => {
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
    },
  };
}
