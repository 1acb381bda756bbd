// A new record in a dialog: what it needs and its first fields, with what is known already filled in; the whole form is one
// click away. What was typed is kept like anywhere else.
import { Button, Group, Modal, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundRecord, RecordView } from "../../../../client/records/records.ts";
import type { RecordTypeKey } from "../../../../client/transport/address.ts";
import { permission } from "../../../../contract/permissions.ts";
import { useFirstInput } from "../../../parts/controls/use-first-input.ts";
import { useReturnFocus } from "../../../parts/controls/use-return-focus.ts";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { showLink } from "../../../parts/toasts.tsx";
import { recordQuery } from "../../../queries.ts";
import { useHeldPlace } from "../../../session/held-place.ts";
import { DuplicateDialog } from "../form/duplicate-dialog.tsx";
import { type Jump, refusedFields } from "../form/form-errors.ts";
import { elementsOf, fieldName, saveActionOf } from "../form/form-rules.ts";
import { NewUserNote } from "../form/new-user-note.tsx";
import { RecordForm } from "../form/record-form.tsx";
import { Refusal } from "../form/refusal.tsx";
import { type Changes, handOn, useDraft } from "../form/use-draft.ts";
import { useSave } from "../form/use-save.ts";
import { useTakenOver } from "../form/use-taken-over.ts";
import classes from "../record.module.css";
import { quickFields } from "./quick-fields.ts";

export interface QuickAddRequest {
  readonly recordTypeKey: RecordTypeKey;
  /** What was typed already: the name to be. */
  readonly text: string;
  /** Values by field, references with what they are called. */
  readonly prefill: Changes;
  readonly onAdded: (record: FoundRecord) => void;
  /** Nothing around it shows what became of it: a toast leads to the record. */
  readonly isOnItsOwn?: boolean;
}

interface QuickAddDialogProps {
  readonly request: QuickAddRequest;
  readonly close: () => void;
}

export function QuickAddDialog({ request, close }: QuickAddDialogProps) {
  const { t } = useTranslation();
  useReturnFocus(true);
  const query = useQuery({ ...recordQuery(request.recordTypeKey, "add", undefined), staleTime: 0, gcTime: 0 });
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={query.data ? t("record.adding", { label: query.data.singular }) : "…"}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <Loaded query={query} skeleton={<Skeleton h={240} />}>
        {(view) => <QuickForm view={view} {...request} close={close} />}
      </Loaded>
    </Modal>
  );
}

/** The typed text goes to the first required text that can be filled in, else to the first text. */
function named(view: RecordView, text: string): Changes {
  const texts = elementsOf(view.form).filter(
    ({ template, method, permission: allowed }) =>
      template === "input" && method === "text" && allowed === permission.EDIT,
  );
  const target = texts.find(({ not_empty }) => not_empty === "1") ?? texts[0];
  return text === "" || target === undefined ? {} : { [fieldName(target)]: { value: text } };
}

function QuickForm(props: QuickAddRequest & { view: RecordView; close: () => void }) {
  const { view, recordTypeKey, text, prefill, onAdded, isOnItsOwn = false, close } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const record = view.data[view.alias] ?? {};
  const draftKey = `${recordTypeKey}.quick`;
  const draft = useDraft(draftKey, record, { ...named(view, text), ...prefill });
  const shown = useTakenOver(view, record, draft.changes);
  useHeldPlace(draft.isDirty);
  const action = saveActionOf(view.form);
  const saving = useSave({
    recordTypeKey,
    view,
    record,
    draft,
    isQuiet: isOnItsOwn,
    onSaved: ({ id, name }) => {
      close();
      if (id === null) return;
      const called = name || view.singular;
      if (isOnItsOwn) {
        showLink(
          t("record.created", { name: called }),
          t("record.open"),
          `/${recordTypeKey}/view?id=${encodeURIComponent(id)}`,
        );
      }
      onAdded({ id, name: called });
    },
  });
  const refused = refusedFields(saving.errors, view.form, (grid) => {
    const rows = draft.changes[grid]?.value;
    return Array.isArray(rows) ? rows : [];
  });
  const [jump, setJump] = useState<Jump>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every refusal
  useLayoutEffect(() => {
    const [first] = refused;
    if (saving.error !== null && first) setJump({ path: first.path });
  }, [saving.error]);
  // What was there when it was opened stays where it is; what was refused must be seen.
  const [fields] = useState(() => quickFields(view.form, Object.keys(draft.changes)));
  const isHidden = refused.some(({ path }) => !fields.has(path.split(".")[1] ?? ""));
  const form = useRef<HTMLFormElement>(null);
  useFirstInput(form, true);
  const openWhole = (): void => {
    handOn(draft.changes, draftKey, `${recordTypeKey}.new`);
    close();
    void navigate({ to: `/${recordTypeKey}/add` });
  };
  const cancel = (): void => {
    draft.clear();
    close();
  };
  // Before the field that has the focus: a list would drop down. A dialog that was opened from here has its own.
  const press = (event: KeyboardEvent): void => {
    if (!(event.target instanceof Node && form.current?.contains(event.target))) return;
    const isSave = (event.ctrlKey || event.metaKey) && (event.key === "Enter" || event.key.toLowerCase() === "s");
    if (isSave) submit(event);
  };
  const submit = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault();
    // A form within a form of the page would send that one as well.
    event.stopPropagation();
    if (action && !saving.isPending) saving.save(action);
  };
  return (
    <form
      ref={form}
      onSubmit={submit}
      onKeyDownCapture={press}
      noValidate
      className={`${classes.editor} ${classes.quick}`}
    >
      {draft.isOld && (
        <Notice tone="news">
          {t("record.draft")}{" "}
          <Button size="compact-xs" variant="default" onClick={draft.discard}>
            {t("record.discard")}
          </Button>
        </Notice>
      )}
      {saving.error && <Refusal error={saving.error} fields={refused} onJump={(path) => setJump({ path })} />}
      <NewUserNote recordTypeKey={recordTypeKey} isNew record={record} changes={draft.changes} />
      <RecordForm
        view={view}
        {...shown}
        isEdited
        changes={draft.changes}
        errors={saving.errors}
        onChange={(field, change) => draft.change(field, change, shown.record)}
        jump={jump}
        only={isHidden ? undefined : fields}
      />
      <DuplicateDialog
        duplicates={saving.duplicates}
        isSaving={saving.isPending}
        onSave={saving.saveAnyway}
        onClose={saving.forgetDuplicates}
      />
      <Group justify="flex-end" gap="xs" className={classes.bar ?? ""}>
        {isOnItsOwn && (
          <Button variant="subtle" color="gray" size="xs" mie="auto" ms={-14} onClick={openWhole}>
            {t("record.open_form")}
          </Button>
        )}
        <Button variant="default" size="xs" onClick={cancel}>
          {t("actions.cancel")}
        </Button>
        <Button type="submit" size="xs" loading={saving.isPending}>
          {action?.label}
        </Button>
      </Group>
    </form>
  );
}
