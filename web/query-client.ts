// The cache of what the service answered, and when to ask again by itself. Apart from the questions, which only those who
// are logged in need.
import { QueryClient } from "@tanstack/react-query";
import { Unreachable, WireFailure } from "../client/wire-failure.ts";

export const queryClient = new QueryClient({
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

/** The service, or the way to it, is down: worth asking again by itself. */
export function isAway(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof WireFailure && [502, 503, 504].includes(error.status));
}
