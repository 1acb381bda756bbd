// What a transition asks for before it is taken: fields that are still empty, and a word to go with it.
import { Button, Group, Modal, Skeleton, Stack, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FormElement, WireValue } from "../../../../client/records/records.ts";
import type { WireTransition } from "../../../../client/records/workflow.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { RecordValuesContext, useRecordValues } from "../../../fields/files/record-values.ts";
import { elementOf } from "../../../fields/inputs/field-element.ts";
import { useFirstInput } from "../../../parts/controls/use-first-input.ts";
import { type Choices, RecordChoices } from "../../../parts/record-choices.tsx";
import { inlineFormQuery, schemaQuery } from "../../../queries.ts";
import { elementsOf, fieldName } from "../form/form-rules.ts";
import { RecordField } from "../form/record-field.tsx";
import type { Change } from "../form/use-draft.ts";
import type { PanelProps } from "../panel.ts";
import type { Moving } from "./use-transition.ts";

interface WorkflowDialogProps extends PanelProps {
  /** Undefined: closed. */
  readonly transition: WireTransition | undefined;
  readonly moving: Moving;
  readonly close: () => void;
}

export function WorkflowDialog({ transition, moving, close, ...props }: WorkflowDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={transition !== undefined}
      onClose={close}
      title={transition?.label ?? ""}
      closeButtonProps={{ "aria-label": t("actions.close") }}
      onExitTransitionEnd={moving.reset}
    >
      {transition && <Asked key={transition.name} {...props} transition={transition} moving={moving} close={close} />}
    </Modal>
  );
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === "";

function Asked({
  transition,
  moving,
  close,
  recordTypeKey,
  id,
  view,
  record,
}: WorkflowDialogProps & { readonly transition: WireTransition }) {
  const { t } = useTranslation();
  const [comment, setComment] = useState("");
  const [choices, setChoices] = useState<Choices>({});
  const [changes, setChanges] = useState<Readonly<Record<string, Change>>>({});
  const known = useRecordValues((field) => (changes[field] ? changes[field].value : record[field]));
  const missing = transition.required.filter(({ field }) => isEmpty(record[field]));
  const form = useQuery({ ...inlineFormQuery(recordTypeKey, id), enabled: missing.length > 0 });
  const schema = useQuery({ ...schemaQuery(recordTypeKey), enabled: missing.length > 0 });
  const isLoaded = form.data !== undefined && schema.data !== undefined;
  const elements = isLoaded ? elementsOf(form.data.form) : [];
  // A form of one's own need not have it.
  const fromSchema = (name: string): FormElement | undefined => {
    const field = isLoaded ? schema.data.fields.find((one) => one.name === name) : undefined;
    return field && elementOf(field, view.alias);
  };
  const fields = useRef<HTMLFormElement>(null);
  useFirstInput(fields, isLoaded);
  const failure = moving.error instanceof WireFailure ? moving.error : undefined;
  const faultOf = (name: string): readonly string[] => failure?.byField[`${view.alias}.${name}`] ?? [];
  const placed = new Set([...missing.map(({ field }) => field), "stage_log.comment"]);
  const others =
    failure === undefined
      ? moving.error
        ? [moving.error.message]
        : []
      : Object.keys(failure.byField).length === 0
        ? failure.errors
        : Object.entries(failure.byField).flatMap(([key, said]) =>
            placed.has(key.slice(view.alias.length + 1)) ? [] : said,
          );
  const send = (): void => {
    const values: Record<string, WireValue> = {};
    // Only single fields are asked for here: their values are never rows.
    for (const [name, { value }] of Object.entries(changes))
      if (!Array.isArray(value)) values[name] = value as WireValue;
    moving.take(transition, comment.trim(), values, choices);
  };
  return (
    <form
      ref={fields}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t("workflow.leads_to", { stage: transition.__to })}
        </Text>
        <RecordValuesContext value={known}>
          {missing.map(({ field, label }) => {
            const element = elements.find((one) => fieldName(one) === field) ?? fromSchema(field);
            if (!element) return <Skeleton key={field} h={52} aria-label={label} />;
            return (
              <RecordField
                key={field}
                element={element}
                record={record}
                change={changes[field]}
                isEdited
                isRequired
                rules={form.data?.filterRules?.[field] ?? []}
                errors={faultOf(field)}
                onChange={(name, change) => setChanges((before) => ({ ...before, [name]: change }))}
              />
            );
          })}
        </RecordValuesContext>
        {transition.has_choices && (
          <RecordChoices
            recordTypeKey={recordTypeKey}
            id={id}
            transition={transition.name}
            choices={choices}
            onChange={setChoices}
          />
        )}
        {transition.reason !== "none" && (
          <Textarea
            label={t(transition.reason === "required" ? "workflow.reason" : "workflow.comment")}
            required={transition.reason === "required"}
            autosize
            minRows={2}
            maxRows={8}
            value={comment}
            error={faultOf("stage_log.comment")[0]}
            onChange={(event) => setComment(event.currentTarget.value)}
            data-autofocus={missing.length === 0 || undefined}
          />
        )}
        {others.map((sentence) => (
          <Text key={sentence} size="sm" c="var(--mantine-color-error)" role="alert">
            {sentence}
          </Text>
        ))}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t("actions.cancel")}
          </Button>
          <Button type="submit" loading={moving.isPending} {...(transition.kind === "reject" ? { color: "red" } : {})}>
            {transition.label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
