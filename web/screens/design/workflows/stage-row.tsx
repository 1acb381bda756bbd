// One stage in the list of a workflow, with the ways that lead out of it.
import { Button, UnstyledButton } from "@mantine/core";
import { IconAlertCircle, IconArrowRight, IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { StageDefinition, WorkflowDefinition } from "../../../../contract/workflow.ts";
import { colorOf } from "../../../fields/design/color-choice.tsx";
import { type OnDrop, useDragPlace } from "../../../parts/controls/drag-place.ts";
import { MoveHandle } from "../../../parts/controls/move-handle.tsx";
import { Tag } from "../../../parts/layout/tag.tsx";
import design from "../design.module.css";
import type { ChosenPart } from "./chosen-part.ts";
import classes from "./workflow.module.css";
import { fromOf } from "./workflow-draft.ts";

interface StageRowProps {
  readonly workflow: WorkflowDefinition;
  readonly stage: StageDefinition;
  readonly place: number;
  readonly faults: ReadonlyMap<string, string>;
  readonly chosen: ChosenPart | undefined;
  readonly onChoose: (chosen: ChosenPart | undefined) => void;
  readonly onMove: OnDrop;
  readonly onAdd: () => void;
  readonly children: ReactNode;
}

const list = "stages";

export function StageRow(props: StageRowProps) {
  const { workflow, stage, place, faults, chosen, onChoose, onMove, onAdd } = props;
  const { t } = useTranslation();
  const count = workflow.stages.length;
  const drag = useDragPlace({ kind: "stage", place: { list, index: place }, onDrop: onMove });
  const step = (by: -1 | 1): void => {
    const to = place + by;
    if (to >= 0 && to < count) onMove({ list, index: place }, { list, index: by === 1 ? to + 1 : to });
  };
  const isChosen = chosen?.kind === "stage" && chosen.key === stage.key;
  const fault = faults.get(`stage ${stage.key}`);
  const nameOf = (key: string): string => workflow.stages.find((one) => one.key === key)?.name ?? key;
  const name = stage.name || t("forms.unnamed");
  return (
    <li
      ref={drag.row}
      className={design.row}
      data-edge={drag.edge ?? undefined}
      data-dragged={drag.isDragged || undefined}
      data-chosen={isChosen || undefined}
    >
      <div className={design.line} data-line>
        <UnstyledButton
          className={design.pick ?? ""}
          data-pick
          aria-expanded={isChosen}
          onClick={() => onChoose(isChosen ? undefined : { kind: "stage", key: stage.key })}
        >
          <span className={classes.dot} style={{ background: colorOf(stage.color) }} />
          <span className={design.words}>
            <span>{name}</span>
            <small>
              {stage.kind === "end"
                ? t("workflows.ends_here")
                : t("workflows.actors_count", { count: stage.actors?.length ?? 0 })}
            </small>
          </span>
          <span className={design.tags}>
            {stage.kind !== undefined && <Tag tone="strong">{t(`workflows.kinds.${stage.kind}`)}</Tag>}
          </span>
        </UnstyledButton>
        <MoveHandle name={name} place={place} count={count} handle={drag.handle} onStep={step} />
        {stage.kind !== "end" && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconPlus size={13} aria-hidden="true" />}
            aria-label={t("workflows.add_transition_from", { name })}
            onClick={onAdd}
          >
            {t("workflows.add_transition")}
          </Button>
        )}
      </div>
      {fault !== undefined && <p className={`${design.error} ${design.inset}`}>{fault}</p>}
      {isChosen && props.children}
      <ul className={classes.ways}>
        {workflow.transitions.map((one, at) => {
          if (!fromOf(one).includes(stage.key)) return null;
          const isOpen = chosen?.kind === "transition" && chosen.place === at;
          const wrong = faults.get(`transition ${at}`);
          // A way that leads out of several stages is opened where it stands first.
          const isFirst = workflow.stages.find(({ key }) => fromOf(one).includes(key))?.key === stage.key;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: its name follows its label while that is typed
            <li key={at}>
              <UnstyledButton
                className={classes.way ?? ""}
                data-line
                data-pick
                aria-expanded={isOpen}
                onClick={() => onChoose(isOpen ? undefined : { kind: "transition", place: at })}
              >
                <IconArrowRight size={14} stroke={1.8} aria-hidden="true" />
                <span>{one.label || t("forms.unnamed")}</span>
                <span>{nameOf(one.to)}</span>
                {wrong !== undefined && (
                  <IconAlertCircle size={15} role="img" aria-label={wrong} className={design.bad} />
                )}
              </UnstyledButton>
              {wrong !== undefined && <p className={`${design.error} ${design.inset}`}>{wrong}</p>}
              {isOpen && isFirst && props.children}
            </li>
          );
        })}
      </ul>
    </li>
  );
}
