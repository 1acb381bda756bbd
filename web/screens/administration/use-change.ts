// A change that an administrator makes: says what happened, or why not, and reads anew what it was about.
import { useQueryClient } from "@tanstack/react-query";
import { showOnce } from "../../parts/shown-once.ts";
import { showDone, showWarning } from "../../parts/toasts.tsx";
import { useWrite } from "../../parts/use-write.ts";

interface ChangeOptions<Variables> {
  readonly run: (variables: Variables) => Promise<unknown>;
  readonly done: string;
  readonly refresh: readonly string[];
  readonly after?: () => void;
  /** The dialog shows the failure itself. */
  readonly quiet?: boolean;
}

export function useChange<Variables>({ run, done, refresh, after, quiet }: ChangeOptions<Variables>) {
  const queryClient = useQueryClient();
  return useWrite({
    mutationFn: run,
    onSuccess: (answer) => {
      showDone(done);
      showOnce(answer);
      after?.();
    },
    onError: (error) => {
      if (!quiet) showWarning(error.message);
    },
    onSettled: () => Promise.all(refresh.map((key) => queryClient.invalidateQueries({ queryKey: [key] }))),
  });
}
