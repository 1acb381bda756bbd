// Saving a design: first what it would do to the records that are there; where that needs a yes, the person is asked. What
// was refused stands at its place until that is changed.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { DesignForesight, DesignResult } from "../../../../client/design/design.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { useWrite } from "../../../parts/use-write.ts";
import { client } from "../../../session/session.ts";
import { definitionOf, errorsUnder, type TypeDraft } from "./type-draft.ts";
import type { HeldDraft } from "./use-type-draft.ts";

interface Attempt {
  readonly draft: TypeDraft;
  readonly confirmed?: DesignForesight;
}

const namesOf = (list: readonly { readonly field: string }[]) => list.map(({ field }) => field);

export function useSaveType(held: HeldDraft, onSaved: (result: DesignResult) => void) {
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<DesignForesight>();
  const mutation = useWrite({
    mutationFn: async ({ draft, confirmed }: Attempt) => {
      const request = { definition: definitionOf(draft), revision: held.revision };
      const foresight = confirmed ?? (await client.design.checkDefinition(request));
      const { renamed, discarded, converted } = foresight;
      if (confirmed === undefined && renamed.length + discarded.length + converted.length > 0) return { foresight };
      const names = { discard: namesOf(discarded), convert: namesOf(converted) };
      return { saved: await client.design.saveDefinition({ ...request, ...names }) };
    },
    onSuccess: async ({ foresight, saved }, { draft }) => {
      setAsked(foresight);
      if (saved === undefined) return;
      held.release(draft, saved.key);
      // Whatever was known of any type may be another now: references, forms, the navigation.
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "design" });
      await queryClient.invalidateQueries({ queryKey: ["design"] });
      held.settle();
      onSaved(saved);
    },
    onError: async (error) => {
      setAsked(undefined);
      // Somebody else was faster: what they saved is shown beside this.
      if (error instanceof WireFailure && error.code === "conflict")
        await queryClient.invalidateQueries({ queryKey: ["design"] });
    },
  });
  const failure = mutation.error instanceof WireFailure ? mutation.error : undefined;
  const attempted = mutation.variables?.draft;
  const errors = failure && attempted ? errorsUnder(failure.byField, attempted) : new Map<string, string>();
  return {
    isPending: mutation.isPending,
    error: mutation.error,
    errors: attempted === undefined ? errors : standing(errors, attempted, held.draft),
    asked,
    save: () => mutation.mutate({ draft: held.draft }),
    confirm: () => asked && mutation.mutate({ draft: held.draft, confirmed: asked }),
    cancel: () => setAsked(undefined),
  };
}

/** What was changed since is no longer refused. */
function standing(errors: ReadonlyMap<string, string>, then: TypeDraft, now: TypeDraft): ReadonlyMap<string, string> {
  const at = (draft: TypeDraft, path: string): unknown => {
    const [part, id, ...rest] = path.split(".");
    const start: unknown = part === "field" ? draft.fields.find((field) => field.id === id) : draft;
    const steps = part === "field" ? rest.slice(0, 2) : [part];
    return steps.reduce<unknown>(
      (value, step) =>
        // Any part of a definition is an object, an array or a plain value.
        typeof value === "object" && value !== null ? (value as Record<string, unknown>)[step ?? ""] : undefined,
      start,
    );
  };
  return new Map([...errors].filter(([path]) => JSON.stringify(at(then, path)) === JSON.stringify(at(now, path))));
}
