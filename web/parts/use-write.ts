// A write that somebody asks for: like useMutation, but asked for the same thing again while it is under way, it does
// nothing. A screen learns that something is under way only when it is drawn anew; a second click can be faster.
import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useRef } from "react";

export function useWrite<Data = unknown, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Context>,
): UseMutationResult<Data, Error, Variables, Context> {
  const mutation = useMutation<Data, Error, Variables, Context>(options);
  const underWay = useRef(new Map<string, Promise<Data>>());
  const mutateAsync: typeof mutation.mutateAsync = (...asked) => {
    const intent = intentOf(asked[0]);
    const first = underWay.current.get(intent);
    if (first !== undefined) return first;
    const promise = mutation.mutateAsync(...asked).finally(() => underWay.current.delete(intent));
    underWay.current.set(intent, promise);
    return promise;
  };
  const mutate: typeof mutation.mutate = (...asked) => {
    // What went wrong is in the result.
    mutateAsync(...asked).catch(() => undefined);
  };
  return { ...mutation, mutate, mutateAsync };
}

/** A file is told from another by its name, size and time. */
const intentOf = (variables: unknown): string =>
  JSON.stringify(variables, (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  ) ?? "";
