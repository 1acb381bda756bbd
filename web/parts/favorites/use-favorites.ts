// What this person has starred, and how it is changed: shown at once, put back where the service refuses. The last answer is
// kept in the browser, so that the sidebar stands as it will stand before the service has answered.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Favorite } from "../../../client/lists/favorites.ts";
import { favoritesQuery } from "../../queries.ts";
import { ownKey } from "../../session/own-key.ts";
import { client } from "../../session/session.ts";
import { showWarning } from "../toasts.tsx";

const storageKey = (): string => ownKey("recent", "favorites");

function remembered(): readonly Favorite[] | undefined {
  try {
    // Written below alone.
    return (JSON.parse(localStorage.getItem(storageKey()) ?? "null") as readonly Favorite[] | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function useFavorites(): readonly Favorite[] {
  const { data, isPlaceholderData } = useQuery({ ...favoritesQuery, placeholderData: remembered });
  useEffect(() => {
    if (data && !isPlaceholderData) localStorage.setItem(storageKey(), JSON.stringify(data));
  }, [data, isPlaceholderData]);
  return data ?? [];
}

export function useChangeFavorites() {
  const queryClient = useQueryClient();
  const { queryKey } = favoritesQuery;
  const change = async (
    shown: (before: readonly Favorite[]) => readonly Favorite[],
    write: () => Promise<readonly Favorite[]>,
  ): Promise<void> => {
    await queryClient.cancelQueries({ queryKey });
    // Before the first answer, what is shown is what was remembered.
    const before = queryClient.getQueryData(queryKey) ?? remembered() ?? [];
    queryClient.setQueryData(queryKey, shown(before));
    try {
      queryClient.setQueryData(queryKey, await write());
    } catch (error) {
      queryClient.setQueryData(queryKey, before);
      void queryClient.invalidateQueries({ queryKey });
      showWarning(error instanceof Error ? error.message : String(error));
    }
  };
  return {
    add: (favorite: Favorite) =>
      change(
        (before) => [...before, favorite],
        () => client.views.addFavorite(favorite.controller, favorite.id),
      ),
    remove: ({ key, controller, id }: Pick<Favorite, "key" | "controller" | "id">) =>
      change(
        (before) => before.filter((one) => one.key !== key),
        () => client.views.removeFavorite(controller, id),
      ),
    arrange: (favorites: readonly Favorite[]) =>
      change(
        () => favorites,
        () => client.views.arrangeFavorites(favorites.map(({ key }) => key)),
      ),
  };
}
