// A record to change, or a new one: the same form with inputs, all errors at once, and what was typed kept.
import { Button, Progress } from "@mantine/core";
import { IconDeviceFloppy } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordView, WireRecord } from "../../../../client/records/records.ts";
import { useCommands } from "../../../parts/commands/commands.ts";
import { useFirstInput } from "../../../parts/controls/use-first-input.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { useLooking, usePresent } from "../../../parts/live/looking.ts";
import { forgetRecords } from "../../../queries.ts";
import { useHeldPlace } from "../../../session/held-place.ts";
import { copiedValues } from "../copied-values.ts";
import { AlsoEditing, PresentPeople } from "../present-people.tsx";
import classes from "../record.module.css";
import { RecordHead } from "../record-head.tsx";
import { useRecordName } from "../use-record-name.ts";
import { rowsOf } from "./child-rows.ts";
import { ConflictNotice } from "./conflict-part.tsx";
import { DuplicateDialog } from "./duplicate-dialog.tsx";
import { type Jump, refusedFields } from "./form-errors.ts";
import { actionsOf, elementsOf, fieldName } from "./form-rules.ts";
import { NewUserNote } from "./new-user-note.tsx";
import { RecordForm } from "./record-form.tsx";
import { Refusal } from "./refusal.tsx";
import { type Changes, useDraft } from "./use-draft.ts";
import { useSave } from "./use-save.ts";
import { useTakenOver } from "./use-taken-over.ts";

interface RecordEditorProps {
  readonly module: string;
  readonly controller: string;
  readonly view: RecordView;
  readonly record: WireRecord;
}

export function RecordEditor({ module, controller, view, record }: RecordEditorProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const key = `${module}/${controller}`;
  const params = { module, controller };
  const search = useSearch({ strict: false });
  const copied = useLocation({ select: ({ state }) => state.copied });
  const isNew = view.id === null;
  const given = isNew ? { ...(copied && copiedValues(view.form, copied)), ...givenOf(search, record) } : undefined;
  // Each copy has a draft of its own: a new record that was begun elsewhere has nothing to do with it.
  const draft = useDraft(`${key}.${view.id ?? (copied ? `copy.${copied.id}` : "new")}`, record, given);
  const shown = useTakenOver(view, record, draft.changes);
  useHeldPlace(draft.isDirty);
  useLooking(key, view.id, "edit");
  const editors = usePresent(key, view.id).filter(({ doing }) => doing === "edit");
  // Transitions are taken on the record's page, where they can ask for what they need.
  const transitions = new Set(view.workflow?.transitions.map(({ name }) => name));
  const [primary, ...others] = actionsOf(view.form).filter(({ name }) => !transitions.has(name.at(-1) ?? ""));
  const saving = useSave({
    recordTypeKey: key,
    view,
    record,
    draft,
    onSaved: ({ id }, action) => {
      const search = id === null ? {} : { id };
      const to = action === primary ? "/$module/$controller/view" : "/$module/$controller/edit";
      void navigate({ to, params, search, replace: view.id !== null, state: true });
    },
  });
  const leave = (): void => {
    draft.clear();
    if (view.id === null) void navigate({ to: "/$module/$controller/index", params });
    else
      void navigate({ to: "/$module/$controller/view", params, search: { id: view.id }, replace: true, state: true });
  };
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (primary && !saving.isPending) saving.save(primary);
  };
  useCommands(
    primary === undefined
      ? []
      : [
          {
            id: "save",
            label: primary.label,
            group: "record",
            keys: "mod+S",
            also: "mod+Enter",
            icon: IconDeviceFloppy,
            run: () => submit(),
          },
        ],
  );

  const refused = refusedFields(saving.errors, view.form, (grid) => {
    const rows = draft.changes[grid]?.value;
    return Array.isArray(rows) ? rows : rowsOf(record, grid);
  });
  // The first field that was refused takes the focus, at once: a moment later somebody may be typing in another.
  const [jump, setJump] = useState<Jump>();
  const first = refused.find(({ label }) => label !== "")?.path;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every refusal, not for every mended field
  useLayoutEffect(() => {
    if (saving.error !== null && first !== undefined) setJump({ path: first });
  }, [saving.error]);

  // Who adds a record begins to type.
  const form = useRef<HTMLFormElement>(null);
  useFirstInput(form, isNew);

  const name = useRecordName(view);
  const title = view.id === null ? t("record.adding", { label: view.singular }) : t("record.editing", { name });
  const elements = elementsOf(view.form);
  return (
    <form ref={form} onSubmit={submit} noValidate className={classes.editor}>
      <RecordHead recordTypeKey={key} title={title} view={view} record={view.id === null ? undefined : record}>
        <PresentPeople recordTypeKey={key} id={view.id} />
      </RecordHead>
      {editors.length > 0 && (
        <Notice tone="wait">
          <AlsoEditing editors={editors} />
        </Notice>
      )}
      {draft.isOld && !saving.conflict && (
        <Notice tone="news">
          {t("record.draft")}{" "}
          <Button size="compact-xs" variant="default" onClick={draft.discard}>
            {t("record.discard")}
          </Button>
        </Notice>
      )}
      {saving.error && <Refusal error={saving.error} fields={refused} onJump={(path) => setJump({ path })} />}
      {saving.conflict && (
        <ConflictNotice
          {...saving.conflict}
          changes={draft.changes}
          elementOf={(field) => elements.find((element) => fieldName(element) === field)}
          isSaving={saving.isPending}
          onSave={saving.resolve}
          onReload={() => {
            draft.clear();
            saving.forgetConflict();
            void forgetRecords(queryClient, key);
          }}
        />
      )}
      <NewUserNote recordTypeKey={key} isNew={isNew} record={record} changes={draft.changes} />
      <RecordForm
        view={view}
        {...shown}
        isEdited
        changes={draft.changes}
        errors={saving.errors}
        onChange={(field, change) => draft.change(field, change, shown.record)}
        jump={jump}
      />
      <DuplicateDialog
        duplicates={saving.duplicates}
        isSaving={saving.isPending}
        onSave={saving.saveAnyway}
        onClose={saving.forgetDuplicates}
      />
      {saving.progress !== undefined && (
        <Progress value={saving.progress * 100} size="xs" aria-label={t("files.sending", { percent: "" })} />
      )}
      <div className={classes.bar}>
        <Button type="submit" size="xs" loading={saving.isPending}>
          {primary?.label}
        </Button>
        {others.map((action) => (
          <Button
            key={action.__name}
            size="xs"
            variant="default"
            disabled={saving.isPending}
            onClick={() => saving.save(action)}
          >
            {/* The wire calls it "Save & Continue". */}
            {action.__name === "action.save_&_continue" ? t("actions.save_continue") : action.label}
          </Button>
        ))}
        <Button size="xs" variant="subtle" color="gray" onClick={leave}>
          {t("actions.cancel")}
        </Button>
      </div>
    </form>
  );
}

/** The address of a new record may say what it starts with: `?next_follow_up=2026-03-09`. */
const givenOf = (search: object, record: WireRecord): Changes =>
  Object.fromEntries(
    Object.entries(search)
      .filter(([name, value]) => typeof value === "string" && name in record)
      .map(([name, value]) => [name, { value }]),
  );
