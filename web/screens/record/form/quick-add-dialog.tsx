// A new record in a dialog: its form, with what is known already filled in. What was typed is kept like anywhere else.
import { Button, Group, Modal, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useLayoutEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundRecord, RecordView } from "../../../../client/records/records.ts";
import type { RecordTypeKey } from "../../../../client/transport/address.ts";
import { permission } from "../../../../contract/permissions.ts";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { recordQuery } from "../../../queries.ts";
import { useHeldPlace } from "../../../session/held-place.ts";
import classes from "../record.module.css";
import { type Jump, refusedFields } from "./form-errors.ts";
import { elementsOf, fieldName, saveActionOf } from "./form-rules.ts";
import { NewUserNote } from "./new-user-note.tsx";
import { RecordForm } from "./record-form.tsx";
import { Refusal } from "./refusal.tsx";
import { type Changes, useDraft } from "./use-draft.ts";
import { useSave } from "./use-save.ts";

export interface QuickAddRequest {
  readonly recordTypeKey: RecordTypeKey;
  /** What was typed already: the name to be. */
  readonly text: string;
  /** Values by field, references with what they are called. */
  readonly prefill: Changes;
  readonly onAdded: (record: FoundRecord) => void;
}

interface QuickAddDialogProps {
  readonly request: QuickAddRequest;
  readonly close: () => void;
}

export function QuickAddDialog({ request, close }: QuickAddDialogProps) {
  const { t } = useTranslation();
  const query = useQuery({ ...recordQuery(request.recordTypeKey, "add", undefined), staleTime: 0, gcTime: 0 });
  return (
    <Modal
      opened
      onClose={close}
      size="xl"
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

function QuickForm({
  view,
  recordTypeKey,
  text,
  prefill,
  onAdded,
  close,
}: QuickAddRequest & { view: RecordView; close: () => void }) {
  const { t } = useTranslation();
  const record = view.data[view.alias] ?? {};
  const draft = useDraft(`${recordTypeKey}.quick`, record, { ...named(view, text), ...prefill });
  useHeldPlace(draft.isDirty);
  const action = saveActionOf(view.form);
  const saving = useSave({
    recordTypeKey,
    view,
    record,
    draft,
    onSaved: ({ id, name }) => {
      close();
      if (id !== null) onAdded({ id, name: name ?? view.singular });
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
  const cancel = (): void => {
    draft.clear();
    close();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // A form within a form of the page would send that one as well.
    event.stopPropagation();
    if (action && !saving.isPending) saving.save(action);
  };
  return (
    <form onSubmit={submit} noValidate className={classes.editor}>
      {saving.error && <Refusal error={saving.error} fields={refused} onJump={(path) => setJump({ path })} />}
      <NewUserNote recordTypeKey={recordTypeKey} isNew record={record} changes={draft.changes} />
      <RecordForm
        view={view}
        record={record}
        isEdited
        changes={draft.changes}
        errors={saving.errors}
        onChange={draft.change}
        jump={jump}
      />
      <Group justify="flex-end" gap="xs" className={classes.bar ?? ""}>
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
