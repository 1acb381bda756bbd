// Whoever has waited for a list for a second is told why, and what would help, while it is still on its way.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ListChoice, ListNotice } from "../../../client/lists/lists.ts";
import { client } from "../../session/session.ts";

const SLOW_MS = 1_000;
const none: readonly ListNotice[] = [];

export function useSlowNotices(key: string, choice: ListChoice, isWaiting: boolean): readonly ListNotice[] {
  const [slow, setSlow] = useState<ListChoice>();
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setSlow(choice), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, choice]);
  const isSlow = isWaiting && slow === choice;
  const { data = none } = useQuery({
    queryKey: ["list-notices", key, choice],
    queryFn: ({ signal }) => client.lists.readNotices(key, choice, signal),
    enabled: isSlow,
    retry: false,
  });
  return isSlow ? data : none;
}
