// Whether this person follows a record, who else does, and how that is changed: shown at once, put back where the service
// refuses. Undefined until it is known, and where a record cannot be followed.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Followers } from "../../../client/records/follows.ts";
import { showDone, showWarning } from "../../parts/toasts.tsx";
import { followersQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";

export function useFollowing(
  key: string,
  id: string,
  isThere: boolean,
): (Followers & { readonly toggle: () => void }) | undefined {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const query = followersQuery(key, id);
  const { data } = useQuery({ ...query, enabled: isThere });
  if (!data) return undefined;
  const change = async (): Promise<void> => {
    await queryClient.cancelQueries({ queryKey: query.queryKey });
    queryClient.setQueryData(query.queryKey, { ...data, isFollowing: !data.isFollowing });
    try {
      queryClient.setQueryData(query.queryKey, await client.history.setFollowing(key, id, !data.isFollowing));
      showDone(t(data.isFollowing ? "record.unfollowed" : "record.followed"));
    } catch (error) {
      queryClient.setQueryData(query.queryKey, data);
      showWarning(error instanceof Error ? error.message : String(error));
    }
  };
  return { ...data, toggle: () => void change() };
}
