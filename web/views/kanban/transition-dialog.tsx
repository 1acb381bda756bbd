// Asked before a card takes a transition: which one, where several lead to the lane, the reason, and the fields that it needs.
import { Button, Group, Input, Modal, Radio, Stack, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FormElement, FormTree, WireValue } from "../../../client/records/records.ts";
import type { StageTransition, TransitionAnswers } from "../../../client/records/stages.ts";
import { RecordValuesContext, useRecordValues } from "../../fields/files/record-values.ts";
import { fieldTypes } from "../../fields/index.ts";
import { type Choices, RecordChoices } from "../../parts/record-choices.tsx";
import { recordQuery } from "../../queries.ts";

interface TransitionDialogProps {
  readonly recordTypeKey: string;
  readonly id: string;
  readonly name: string;
  readonly transitions: readonly StageTransition[];
  readonly onTake: (transition: StageTransition, answers: TransitionAnswers) => void;
  readonly onClose: () => void;
}

interface Answer {
  readonly value: WireValue;
  readonly text?: string | null | undefined;
}

const inside = ({ children = [] }: FormTree): readonly FormElement[] =>
  children.flatMap((child) => [child, ...inside(child)]);

export function TransitionDialog({ recordTypeKey, id, name, transitions, onTake, onClose }: TransitionDialogProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(transitions[0]?.name ?? "");
  const [reason, setReason] = useState("");
  const [choices, setChoices] = useState<Choices>({});
  const [answers, setAnswers] = useState<Readonly<Record<string, Answer>>>({});
  const transition = transitions.find((one) => one.name === chosen);
  const { data } = useQuery({
    ...recordQuery(recordTypeKey, "edit", id),
    enabled: transitions.some(({ required }) => required.length > 0),
  });
  const record = data?.data[data.alias] ?? {};
  const known = useRecordValues((field) => (answers[field] ? answers[field].value : record[field]));
  // What is filled in already is not asked for again.
  const fields = (transition?.required ?? []).filter(({ field }) => (record[field] ?? "") === "");
  const elements = data ? inside(data.form) : [];
  const isMissing =
    (transition?.reason === "required" && reason.trim() === "") ||
    fields.some(({ field }) => (answers[field]?.value ?? "") === "");
  const take = (): void => {
    if (transition === undefined || isMissing) return;
    const values = Object.fromEntries(fields.map(({ field }) => [field, answers[field]?.value ?? null]));
    onTake(transition, { reason: reason.trim() === "" ? undefined : reason.trim(), values, records: choices });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={transitions.length === 1 ? `${transition?.label}: ${name}` : name}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          take();
        }}
      >
        <Stack gap="md">
          {transitions.length > 1 && (
            <Radio.Group label={t("charts.which_step")} value={chosen} onChange={setChosen}>
              <Stack gap={6} mt={4}>
                {transitions.map((one) => (
                  <Radio key={one.name} value={one.name} label={one.label} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <RecordValuesContext value={known}>
            {fields.map(({ field, label }) => (
              <NeededField
                key={field}
                label={label}
                element={elements.find((element) => element.type !== undefined && element.name.at(-1) === field)}
                answer={answers[field]}
                onAnswer={(answer) => setAnswers({ ...answers, [field]: answer })}
              />
            ))}
          </RecordValuesContext>
          {transition?.has_choices && (
            <RecordChoices
              recordTypeKey={recordTypeKey}
              id={id}
              transition={transition.name}
              choices={choices}
              onChange={setChoices}
            />
          )}
          {transition?.reason !== "none" && (
            <Textarea
              label={t("charts.reason")}
              required={transition?.reason === "required"}
              autosize
              minRows={2}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t("actions.cancel")}
            </Button>
            <Button type="submit" disabled={isMissing}>
              {transition?.label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface NeededFieldProps {
  readonly label: string;
  /** Undefined until the form is here, and where the field is not on it. */
  readonly element: FormElement | undefined;
  readonly answer: Answer | undefined;
  readonly onAnswer: (answer: Answer) => void;
}

function NeededField({ label, element, answer, onAnswer }: NeededFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const Field = element?.type === undefined ? undefined : fieldTypes[element.type].Input;
  return (
    <Input.Wrapper label={label} labelProps={{ htmlFor: id }} required>
      {Field && element ? (
        <Field
          element={{ ...element, not_empty: "1" }}
          id={id}
          value={answer?.value ?? null}
          text={answer?.text}
          error={undefined}
          describedBy={undefined}
          onChange={(value, text) => onAnswer({ value, text })}
        />
      ) : (
        <div>{t("states.loading")}</div>
      )}
    </Input.Wrapper>
  );
}
