// The cache of what the service answered, and when to ask again by itself. Apart from the questions, which only those who
// are logged in need.
import { MutationCache, QueryClient } from "@tanstack/react-query";
import { Unreachable, WireFailure } from "../client/transport/wire-failure.ts";

export const queryClient: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    // What one wrote to may be gone, or no longer open to one: the page that shows it finds out. A form that is being
    // filled in stays.
    onError: (error) => {
      if (!(error instanceof WireFailure && [403, 404, 422].includes(error.status))) return;
      const isShown = ({ queryKey: [what, , , mode] }: { queryKey: readonly unknown[] }) =>
        what === "record" && mode === "view";
      void queryClient.invalidateQueries({ predicate: isShown });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      // Being offline is a state that the screen shows, not a pause.
      networkMode: "always",
      retry: (count, error) => count < 1 && isAway(error),
      retryDelay: 400,
    },
    mutations: { networkMode: "always" },
  },
});

/** Not there, or not open to one. */
export const isGone = (error: unknown): boolean => error instanceof WireFailure && [403, 404].includes(error.status);

/** A record type that was removed; with its last type, a module goes too. */
export const isTypeGone = (error: unknown): boolean =>
  error instanceof WireFailure && ["unknown_controller", "unknown_module"].includes(error.code ?? "");

/** The service, or the way to it, is down: worth asking again by itself. */
export function isAway(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof WireFailure && [502, 503, 504].includes(error.status));
}
