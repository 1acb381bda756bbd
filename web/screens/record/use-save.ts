// Saving a form: what was changed, on the revision it was changed from. Where somebody else saved other fields meanwhile,
// both go together; where they saved the same ones, the person chooses.
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type Difference,
  type FormElement,
  type RecordView,
  saveRecord,
  type WireRecord,
} from "../../../client/records.ts";
import { WireFailure } from "../../../client/wire-failure.ts";
import { forgetRecords } from "../../queries.ts";
import { call } from "../../session/session.ts";
import type { Changes, Draft } from "./use-draft.ts";

export interface Conflict {
  readonly differences: readonly Difference[];
  readonly current: WireRecord;
  readonly action: FormElement;
}

export interface Saving {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly conflict: Conflict | undefined;
  save(action: FormElement): void;
  /** Saves what was chosen of a conflict. */
  resolve(dropped: readonly string[]): void;
  forgetConflict(): void;
}

interface SaveParts {
  readonly recordTypeKey: string;
  readonly view: RecordView;
  readonly draft: Draft;
  readonly onSaved: (saved: RecordView, action: FormElement) => void;
}

interface Attempt {
  readonly action: FormElement;
  readonly changes: Changes;
  readonly revision: string | undefined;
  readonly again?: boolean;
}

export function useSave({ recordTypeKey, view, draft, onSaved }: SaveParts): Saving {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [conflict, setConflict] = useState<Conflict>();
  const mutation = useMutation({
    mutationFn: ({ action, changes, revision }: Attempt) =>
      saveRecord(call, recordTypeKey, {
        alias: view.alias,
        id: view.id ?? undefined,
        revision,
        values: Object.fromEntries(Object.entries(changes).map(([field, { value }]) => [field, value])),
        action,
      }),
    onSuccess: async (saved, { action, again }) => {
      setConflict(undefined);
      draft.clear();
      const name = saved.name ?? view.singular;
      notifications.show({ message: again ? t("record.merged") : t("record.saved", { name }) });
      await forgetRecords(queryClient, recordTypeKey);
      onSaved(saved, action);
    },
    onError: (error, { action, again }) => {
      const found = conflictOf(error, view.alias, action);
      if (found === undefined) return;
      const clashes = found.differences.filter(
        ({ field, stored }) => JSON.stringify(stored ?? null) !== JSON.stringify(draft.changes[field]?.from ?? null),
      );
      const revision = revisionOf(found.current);
      if (clashes.length === 0 && !again) {
        mutation.mutate({ action, changes: draft.rebase([], revision), revision, again: true });
      } else setConflict({ ...found, differences: clashes });
    },
  });
  const failure = mutation.error instanceof WireFailure ? mutation.error : undefined;
  return {
    isPending: mutation.isPending,
    error: conflict ? null : mutation.error,
    errors: conflict ? {} : (failure?.byField ?? {}),
    conflict,
    save: (action) => mutation.mutate({ action, changes: draft.changes, revision: draft.revision }),
    resolve: (dropped) => {
      if (conflict === undefined) return;
      const revision = revisionOf(conflict.current);
      mutation.mutate({ action: conflict.action, changes: draft.rebase(dropped, revision), revision });
    },
    forgetConflict: () => {
      setConflict(undefined);
      mutation.reset();
    },
  };
}

const revisionOf = ({ revision }: WireRecord): string | undefined =>
  typeof revision === "string" ? revision : undefined;

function conflictOf(error: unknown, alias: string, action: FormElement): Conflict | undefined {
  if (!(error instanceof WireFailure) || error.status !== 409) return undefined;
  // The body of a stale revision, as the service's contract has it.
  const { differences, current } = error.body as {
    differences?: readonly Difference[];
    current?: Readonly<Record<string, WireRecord>>;
  };
  const record = current?.[alias];
  return differences === undefined || record === undefined ? undefined : { differences, current: record, action };
}
