// Saving a form: what was changed, on the revision it was changed from. Where somebody else saved other fields meanwhile,
// both go together; where they saved the same ones, the person chooses.

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { conflictOf, type RevisionConflict, revisionOf } from "../../../../client/records/conflict.ts";
import type {
  Duplicate,
  FormElement,
  FormTree,
  RecordView,
  SaveRequest,
  WireRecord,
} from "../../../../client/records/records.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { heldFile } from "../../../fields/files/pending-files.ts";
import { showOnce } from "../../../parts/shown-once.ts";
import { showDone } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { forgetRecords } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { rowsOf, sentRows } from "./child-rows.ts";
import type { ConflictChoice, ConflictChoices } from "./conflict-part.tsx";
import { duplicatesOf } from "./duplicate-dialog.tsx";
import { type FieldErrors, standingErrors } from "./form-errors.ts";
import { elementsOf, fieldName } from "./form-rules.ts";
import type { Changes, Draft } from "./use-draft.ts";

export interface Conflict extends RevisionConflict {
  readonly action: FormElement;
}

export interface Saving {
  readonly isPending: boolean;
  readonly error: Error | null;
  /** What was refused and is not changed since. */
  readonly errors: FieldErrors;
  readonly conflict: Conflict | undefined;
  /** Records that it looks like: they are shown before it is saved all the same. */
  readonly duplicates: readonly Duplicate[] | undefined;
  /** How much of the files has been sent, from 0 to 1. */
  readonly progress: number | undefined;
  saveAnyway(): void;
  forgetDuplicates(): void;
  save(action: FormElement): void;
  /** Saves what was chosen of a conflict. */
  resolve(choices: ConflictChoices): void;
  forgetConflict(): void;
}

const noErrors: FieldErrors = {};

interface SaveParts {
  readonly recordTypeKey: string;
  readonly view: RecordView;
  readonly record: WireRecord;
  readonly draft: Draft;
  readonly onSaved: (saved: RecordView, action: FormElement) => void;
  /** Where the page says itself that it was saved. */
  readonly isQuiet?: boolean;
}

interface Attempt {
  readonly action: FormElement;
  readonly changes: Changes;
  readonly revision: string | undefined;
  readonly again?: boolean;
  readonly overrideDuplicates?: boolean;
}

export function useSave({ recordTypeKey, view, record, draft, onSaved, isQuiet = false }: SaveParts): Saving {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [conflict, setConflict] = useState<Conflict>();
  const [progress, setProgress] = useState<number>();
  const mutation = useWrite({
    onMutate: () => setProgress(undefined),
    mutationFn: ({ action, changes, revision, overrideDuplicates }: Attempt) =>
      client.records.saveRecord(recordTypeKey, {
        overrideDuplicates,
        onProgress: setProgress,
        alias: view.alias,
        id: view.id ?? undefined,
        revision,
        values: sentValues(view.form, record, changes),
        action,
      }),
    onSuccess: async (saved, { action, again }) => {
      setConflict(undefined);
      draft.clear();
      showOnce(saved);
      const name = saved.name || view.singular;
      if (!isQuiet) showDone(again ? t("record.merged") : t("record.saved", { name }));
      await forgetRecords(queryClient, recordTypeKey);
      onSaved(saved, action);
    },
    onError: (error, { action, again }) => {
      const found = conflictOf(error, view.alias);
      // Refused for another reason: what was chosen of a conflict is in the draft by now, and the reason is told.
      if (found === undefined) return setConflict(undefined);
      const clashes = found.differences.filter(
        ({ field, stored }) => JSON.stringify(stored ?? null) !== JSON.stringify(draft.changes[field]?.from ?? null),
      );
      const revision = revisionOf(found.current);
      if (clashes.length === 0 && !again) {
        mutation.mutate({ action, changes: draft.rebase([], revision), revision, again: true });
      } else setConflict({ ...found, action, differences: clashes });
    },
  });
  const duplicates = duplicatesOf(mutation.error);
  const failure = mutation.error instanceof WireFailure ? mutation.error : undefined;
  return {
    isPending: mutation.isPending,
    error: conflict || duplicates ? null : mutation.error,
    errors:
      conflict || failure === undefined
        ? noErrors
        : standingErrors(failure.byField, view.form, record, mutation.variables?.changes ?? {}, draft.changes),
    conflict,
    duplicates,
    progress: mutation.isPending ? progress : undefined,
    saveAnyway: () => {
      if (mutation.variables) mutation.mutate({ ...mutation.variables, overrideDuplicates: true });
    },
    forgetDuplicates: mutation.reset,
    save: (action) => mutation.mutate({ action, changes: draft.changes, revision: draft.revision }),
    resolve: (choices) => {
      if (conflict === undefined) return;
      const revision = revisionOf(conflict.current);
      const chosen = (choice: ConflictChoice) => Object.keys(choices).filter((field) => choices[field] === choice);
      const changes = draft.rebase(chosen("theirs"), revision, chosen("before"));
      mutation.mutate({ action: conflict.action, changes, revision });
    },
    forgetConflict: () => {
      setConflict(undefined);
      mutation.reset();
    },
  };
}

/** What a save sends: fields as they are, of grids the rows that differ. */
function sentValues(form: FormTree, record: WireRecord, changes: Changes): SaveRequest["values"] {
  const elements = elementsOf(form);
  return Object.fromEntries(
    Object.entries(changes).map(([field, { value }]) => {
      const grid = elements.find((one) => one.template === "grid" && fieldName(one) === field);
      if (grid === undefined || !Array.isArray(value)) return [field, heldFile(value) ?? value];
      return [field, sentRows(grid, value, rowsOf(record, field)).map(({ values }) => values)];
    }),
  );
}
