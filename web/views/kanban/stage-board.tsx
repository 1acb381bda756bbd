// A board by the stages of a workflow, or by the field that is its stage: a card goes where a transition leads, and moving
// it takes that transition. Where it cannot go says why.
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../client/design/record-types.ts";
import type { StageTransition, TransitionAnswers, WorkflowStages } from "../../../client/records/stages.ts";
import { showUndo } from "../../parts/toasts.tsx";
import { undoOfMove } from "../../parts/undo/undo-plan.ts";
import { forgetRecords } from "../../queries.ts";
import { client } from "../../session/session.ts";
import type { ChartProps } from "../chart-props.ts";
import { STAGE_FIELD } from "../show-as-draft.ts";
import { useChangeRecord } from "../use-change-record.ts";
import { Board, type Moving } from "./board.tsx";
import { isOtherLane } from "./lane-query.ts";
import { TransitionDialog } from "./transition-dialog.tsx";
import { stageRefusal } from "./why-not.ts";

interface Asked {
  readonly moving: Moving;
  readonly transitions: readonly StageTransition[];
}

/** Nothing has to be asked before it is taken. */
const isPlain = ({ reason, required, has_choices: chooses }: StageTransition): boolean =>
  reason !== "required" && required.length === 0 && !chooses;

interface StageBoardProps {
  readonly picture: ChartProps;
  readonly field: SchemaField;
  readonly workflow: WorkflowStages;
}

export function StageBoard({ picture, field, workflow }: StageBoardProps) {
  const { stages, transitions, stage_field: stageField } = workflow;
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { recordTypeKey, page, schema } = picture;
  const alike = useMemo(
    () =>
      schema.fields
        .filter(({ name }) => name === STAGE_FIELD || name === stageField)
        .map(({ column_name }) => column_name),
    [schema, stageField],
  );
  const alias = page.idColumn.split(".")[0] ?? "";
  const change = useChangeRecord(recordTypeKey, alias);
  const [asked, setAsked] = useState<Asked>();
  const isByField = field.name !== STAGE_FIELD;
  const laneOf = (id: string): string | null => (isByField ? (stages.find((one) => one.id === id)?.value ?? null) : id);
  const between = (from: string | null, to: string | null) =>
    transitions.filter((one) => laneOf(one.from) === from && laneOf(one.to) === to);
  const lanes = useMemo(
    () =>
      isByField
        ? field
        : {
            column_name: field.column_name,
            options: stages.map(({ id, name, color }) => ({ value: id, label: name, color })),
          },
    [isByField, field, stages],
  );
  const take = async (moving: Moving, transition: StageTransition, answers: TransitionAnswers): Promise<void> => {
    setAsked(undefined);
    await queryClient.cancelQueries({ queryKey: ["list", recordTypeKey] });
    const back = moving.show();
    try {
      const { reason: comment = "", values = {}, records = {} } = answers;
      const { id } = moving;
      const moved = await client.workflow.takeTransition(recordTypeKey, {
        alias,
        id,
        node: transition.from,
        transition,
        comment,
        values,
        records,
      });
      const said = t("charts.moved", { name: moving.name, lane: moving.to.label });
      showUndo(t, said, undoOfMove(recordTypeKey, id, transition.name, moved));
    } catch (error) {
      back();
      const message = error instanceof Error ? error.message : String(error);
      moving.refuse(t("charts.not_changed"), message);
    }
    await forgetRecords(queryClient, recordTypeKey, isOtherLane(moving.from, moving.to.value));
  };
  const write = ({ id, name, revision, from, to, show, refuse }: Moving): void =>
    void change({
      id,
      revision,
      values: { [field.name]: to.value },
      before: { [field.name]: from },
      said: t("charts.moved", { name, lane: to.label }),
      isElsewhere: isOtherLane(from, to.value),
      show,
      refuse,
    });
  return (
    <>
      <Board
        picture={picture}
        field={lanes}
        usesView
        alike={alike}
        whyNot={(_, from, to, view) => {
          const label = lanes.options?.find(({ value }) => value === from)?.label ?? t("values.none");
          return stageRefusal(t, between(from, to.value), { from: label, to: to.label }, view?.workflow);
        }}
        isFinal={({ value }) => stages.some(({ id, kind }) => kind === "end" && laneOf(id) === value)}
        // New records begin at the first stage.
        presetOf={({ value }) => (stages[0] && laneOf(stages[0].id) === value ? {} : undefined)}
        onMove={(moving) => {
          const found = between(moving.from, moving.to.value);
          const [only] = found;
          if (only === undefined || found.length > 1 || !isPlain(only)) setAsked({ moving, transitions: found });
          else if (isByField) write(moving);
          else void take(moving, only, {});
        }}
      />
      {asked && (
        <TransitionDialog
          recordTypeKey={recordTypeKey}
          id={asked.moving.id}
          name={asked.moving.name}
          transitions={asked.transitions}
          onTake={(transition, answers) => void take(asked.moving, transition, answers)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
