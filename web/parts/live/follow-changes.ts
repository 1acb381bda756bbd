// Refetches visible queries affected by other people's changes while the tab is visible, also of record types. What one writes here is
// shown already.
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { FollowedChange } from "../../../client/records/changes.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { client, ownWrites, session } from "../../session/session.ts";
import { type Changed, changedBy, isConcerned } from "./changed-queries.ts";
import { looking } from "./looking.ts";
import { pauseAfter } from "./pause-after.ts";
import { refreshDesign } from "./refresh-design.ts";

const START_MS = 2_000;
const WAIT_SECONDS = 25;
const MOST_AWAY_MS = 60_000;
const MOVED_MS = 300;

export function useLiveScreen(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const over = new AbortController();
    void follow(queryClient, over.signal);
    return () => over.abort();
  }, [queryClient]);
}

/** Written by this page, which shows it already; not by a workflow, another tab or a program of the same person. */
const isOwn = ({ created_by: by, controller, id }: FollowedChange): boolean =>
  by != null && by === session.get().identity?.userId && ownWrites.isOwn(controller, id);

async function follow(queryClient: QueryClient, signal: AbortSignal): Promise<void> {
  let cursor: string | undefined;
  let isBehind = false;
  let design: string | undefined;
  let away = 1_000;
  while (!signal.aborted) {
    await untilVisible(signal);
    const waiting = whileVisible(signal);
    const screen = looking.now();
    try {
      const answer = await client.history.readChanges(cursor, WAIT_SECONDS, waiting.signal, [], {
        ...screen,
        design,
      });
      const { changes, cursor: next, present } = answer;
      waiting.end();
      looking.learn(screen, present.people, present.token);
      const isFirst = cursor === undefined && !isBehind;
      cursor = next;
      away = 1_000;
      // The page itself comes first; what happens meanwhile is told after that.
      if (isFirst) await pause(START_MS, signal);
      if (changes.length > 0 || isBehind) await ownWrites.settled();
      const began = performance.now();
      // What a record type looks like comes before its records.
      const isNewDesign = isBehind || isLater(answer.design, design);
      if (isNewDesign || design === undefined) design = answer.design;
      if (isNewDesign) await refreshDesign(queryClient);
      await refresh(queryClient, isBehind ? everything : changedBy(changes.filter((change) => !isOwn(change))));
      isBehind = false;
      if (changes.length > 0 || isNewDesign || present.token !== screen.present) {
        await pause(pauseAfter(performance.now() - began, screen.record !== undefined), signal);
      }
    } catch (error) {
      // Another page, perhaps one of many that are leafed through.
      if (waiting.signal.aborted) await pause(MOVED_MS, signal);
      else if (error instanceof WireFailure && error.status === 410) {
        // From where the feed is now; all that is shown is asked for again after that.
        cursor = undefined;
        design = undefined;
        isBehind = true;
      } else if (error instanceof WireFailure && screen.record !== undefined && isRefused(error.status)) {
        looking.refuse(screen);
      } else {
        await pause(away, signal);
        away = Math.min(away * 2, MOST_AWAY_MS);
      }
    } finally {
      waiting.end();
    }
  }
}

/** The first one that is heard of is what the page was just loaded with. */
const isLater = (next: string | undefined, known: string | undefined): boolean =>
  next !== undefined && known !== undefined && BigInt(next) > BigInt(known);

/** The record that was named is of a type that is gone. */
const isRefused = (status: number): boolean => status === 400 || status === 404;

const everything: Changed = { records: new Map(), everything: true, movesWork: true };

async function refresh(queryClient: QueryClient, changed: Changed): Promise<void> {
  if (!changed.everything && changed.records.size === 0) return;
  const concerned = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => isConcerned(changed, queryKey) };
  await queryClient.invalidateQueries({ ...concerned, refetchType: "active" }, { cancelRefetch: true });
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });

function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === "visible" || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== "visible" && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
  });
}

/** Aborted when the page is no longer looked at (nobody waits for what nobody sees), or shows another record. */
function whileVisible(signal: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const gone = new AbortController();
  const look = () => {
    if (document.visibilityState !== "visible" || signal.aborted) gone.abort();
  };
  const { record, doing } = looking.now();
  const unsubscribe = looking.subscribe(() => {
    const next = looking.now();
    if (next.record !== record || next.doing !== doing) gone.abort();
  });
  document.addEventListener("visibilitychange", look);
  signal.addEventListener("abort", look);
  return {
    signal: gone.signal,
    end: () => {
      unsubscribe();
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
    },
  };
}
