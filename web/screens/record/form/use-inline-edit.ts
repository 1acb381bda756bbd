// Editing one field where it stands: what is typed is a draft until it is saved, the page shows it at once, the toast
// offers the way back, and where somebody else saved the same field first, the person chooses.
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { conflictOf, type RevisionConflict, revisionOf } from "../../../../client/records/conflict.ts";
import type { Duplicate, FormElement, RecordView, WireRecord } from "../../../../client/records/records.ts";
import type { RecordTypeKey } from "../../../../client/transport/address.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { heldFile } from "../../../fields/files/pending-files.ts";
import { showUndo, showWarning } from "../../../parts/toasts.tsx";
import { valuesOf } from "../../../parts/undo/put-back.ts";
import { useWrite } from "../../../parts/use-write.ts";
import { forgetRecords, recordQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { duplicatesOf } from "./duplicate-dialog.tsx";
import { fieldName, saveActionOf } from "./form-rules.ts";
import { textOf } from "./record-field.tsx";
import type { Change, Draft } from "./use-draft.ts";

interface InlineParts {
  readonly recordTypeKey: RecordTypeKey;
  readonly id: string;
  /** The record with the form to change it; undefined while it is on its way. */
  readonly edited: RecordView | undefined;
  readonly record: WireRecord;
  readonly draft: Draft;
}

interface Attempt {
  readonly element: FormElement;
  readonly change: Change;
  readonly revision: string | undefined;
  /** What undo puts back. */
  readonly before: Change;
  readonly again?: boolean;
  readonly overrideDuplicates?: boolean;
}

export interface InlineEdit {
  /** The field whose input is open. */
  readonly open: string | undefined;
  readonly isSaving: boolean;
  readonly errors: readonly string[];
  readonly conflict: (RevisionConflict & { readonly element: FormElement }) | undefined;
  /** Records that the change makes this one look like. */
  readonly duplicates: readonly Duplicate[] | undefined;
  saveAnyway(): void;
  start(field: string): void;
  cancel(): void;
  commit(element: FormElement, change: Change | undefined): void;
  /** Saves a value on the state that somebody else left; without one, theirs stays. */
  resolve(change: Change | undefined): void;
}

export function useInlineEdit({ recordTypeKey, id, edited, record, draft }: InlineParts): InlineEdit {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<string>();
  const [conflict, setConflict] = useState<InlineEdit["conflict"]>();
  const viewKey = recordQuery(recordTypeKey, "view", id).queryKey;

  /** Done with a field: another one may be open by now. */
  const finish = (name: string, revision: string | undefined): void => {
    draft.rebase([name], revision);
    setOpen((now) => (now === name ? undefined : now));
    setConflict(undefined);
  };
  // Known before the next click: leaving a field saves it, and opens another one in the same breath.
  const isUnderWay = useRef(false);
  const save = useWrite({
    onSettled: () => {
      isUnderWay.current = false;
    },
    mutationFn: ({ element, change, revision, overrideDuplicates }: Attempt) => {
      const action = edited && saveActionOf(edited.form);
      if (!edited || !action || Array.isArray(change.value)) throw new Error(t("record.refused_plain"));
      const values = { [fieldName(element)]: heldFile(change.value) ?? change.value };
      return client.records.saveRecord(recordTypeKey, {
        alias: edited.alias,
        id,
        revision,
        values,
        action,
        overrideDuplicates,
      });
    },
    onMutate: ({ element, change }) => {
      const shown = queryClient.getQueryData(viewKey);
      if (shown) queryClient.setQueryData(viewKey, withValue(shown, fieldName(element), change));
      return { shown };
    },
    onSuccess: (saved, { element, before }) => {
      const stored = saved.data[saved.alias] ?? {};
      const name = fieldName(element);
      const revision = revisionOf(stored);
      finish(name, revision);
      // The answer is the record as it is shown, with what follows from the change.
      queryClient.setQueryData(viewKey, saved);
      void forgetRecords(queryClient, recordTypeKey);
      const place = { kind: "edit", key: recordTypeKey, alias: saved.alias, id, revision } as const;
      const undo = { ...place, values: { [name]: before.value }, wrote: valuesOf(stored, [name]) };
      showUndo(t, t("record.field_saved", { label: element.label }), undo, {
        name: saved.name ?? id,
        preview: () => {
          const shown = queryClient.getQueryData(viewKey);
          if (shown) queryClient.setQueryData(viewKey, withValue(shown, name, before));
        },
      });
    },
    onError: (error, attempt, kept) => {
      if (kept?.shown) queryClient.setQueryData(viewKey, kept.shown);
      const found = edited && conflictOf(error, edited.alias);
      const name = fieldName(attempt.element);
      if (!found) {
        // It opens again, with what was typed and what is wrong with it, unless something else is being typed.
        if (open !== name && open !== undefined && draft.changes[open]) showWarning(error.message);
        else setOpen(name);
        return;
      }
      const [difference] = found.differences.filter(({ field }) => field === name);
      const theirs = JSON.stringify(difference ? difference.stored : (found.current[name] ?? null));
      const base = JSON.stringify(attempt.before.value);
      // Somebody changed other fields, or made the very same change.
      if ((difference === undefined || theirs === base) && !attempt.again) {
        save.mutate({ ...attempt, revision: revisionOf(found.current), again: true });
      } else setConflict({ ...found, differences: difference ? [difference] : [], element: attempt.element });
    },
  });
  const beforeOf = (element: FormElement): Change => {
    const name = fieldName(element);
    const held = record[name];
    return { value: Array.isArray(held) ? null : (held ?? null), text: textOf(record[`__${name}`]) ?? null } as Change;
  };
  return {
    open,
    isSaving: save.isPending,
    errors: conflict ? [] : errorsOf(save.error, edited?.alias ?? "", save.variables?.element, open),
    conflict,
    duplicates: duplicatesOf(save.error),
    saveAnyway: () => {
      if (save.variables) save.mutate({ ...save.variables, overrideDuplicates: true });
    },
    start: (field) => {
      // What cannot be saved stays open until it is mended or left as it was.
      if (open !== undefined && open !== field && draft.changes[open] && !isUnderWay.current) return;
      setOpen(field);
    },
    cancel: () => {
      if (open !== undefined) finish(open, draft.revision);
      save.reset();
    },
    commit: (element, change) => {
      if (save.isPending) return;
      if (change === undefined) finish(fieldName(element), draft.revision);
      else {
        isUnderWay.current = true;
        save.mutate({ element, change, revision: draft.revision, before: beforeOf(element) });
      }
    },
    resolve: (change) => {
      if (!conflict) return;
      const { element, current } = conflict;
      setConflict(undefined);
      if (change)
        save.mutate({ element, change, revision: revisionOf(current), before: beforeOf(element), again: true });
      else {
        finish(fieldName(element), revisionOf(current));
        save.reset();
        void forgetRecords(queryClient, recordTypeKey);
      }
    },
  };
}

function withValue<View extends RecordView>(view: View, field: string, { value, text }: Change): View {
  const record = view.data[view.alias] ?? {};
  const called = text === undefined ? {} : { [`__${field}`]: text };
  return { ...view, data: { ...view.data, [view.alias]: { ...record, [field]: value, ...called } } };
}

/** Of the field that is open, where it was its save that failed. */
function errorsOf(
  error: Error | null,
  alias: string,
  element: FormElement | undefined,
  open: string | undefined,
): readonly string[] {
  if (error === null || element === undefined || fieldName(element) !== open) return [];
  if (!(error instanceof WireFailure)) return [error.message];
  const own = error.byField[`${alias}.${fieldName(element)}`];
  return own ?? Object.values(error.byField)[0] ?? error.errors;
}
