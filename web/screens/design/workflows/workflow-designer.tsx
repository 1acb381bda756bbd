// A workflow to design: its picture, its stages in order with the ways out of each, and the chosen one beside them.
import { Button, Select } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconGitBranch, IconPlus } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { WorkflowDefinition } from "../../../../contract/workflow.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { movedWithin } from "../../../parts/controls/drag-place.ts";
import { EmptyState } from "../../../parts/layout/empty-state.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import design from "../design.module.css";
import { useMovedSheet } from "../moved-sheet.tsx";
import { paneKeys } from "../pane-keys.ts";
import { useLineCommands } from "../use-line-commands.ts";
import type { ChosenPart } from "./chosen-part.ts";
import { StageRow } from "./stage-row.tsx";
import { StageSheet } from "./stage-sheet.tsx";
import { TransitionSheet } from "./transition-sheet.tsx";
import classes from "./workflow.module.css";
import { WorkflowDiagram } from "./workflow-diagram.tsx";
import { faultsOf, withStage, withStageField, withTransition } from "./workflow-draft.ts";
import { placeWords } from "./workflow-places.ts";

interface WorkflowDesignerProps {
  readonly schema: RecordTypeSchema;
  readonly workflow: WorkflowDefinition;
  /** Keys of stages that records may be in: they stay. */
  readonly storedKeys: ReadonlySet<string>;
  readonly errors: readonly string[];
  readonly onChange: (workflow: WorkflowDefinition) => void;
}

export function WorkflowDesigner({ schema, workflow, storedKeys, errors, onChange }: WorkflowDesignerProps) {
  const { t } = useTranslation();
  useLineCommands();
  const isWide = useMediaQuery("(min-width: 75em)", true);
  const [chosen, setChosen] = useState<ChosenPart>();
  // A stage's key may follow its name: its line stays the same one, or whoever types the name below it would lose the focus.
  const lines = useRef(new Map<string, string>());
  const count = useRef(0);
  const lineOf = (key: string): string => lines.current.get(key) ?? key;
  const choose = (next: ChosenPart | undefined): void => {
    const isRenamed =
      chosen?.kind === "stage" && next?.kind === "stage" && !workflow.stages.some(({ key }) => key === next.key);
    if (isRenamed) lines.current.set(next.key, lineOf(chosen.key));
    setChosen(next);
  };
  const labelOf = (name: string): string => schema.fields.find((field) => field.name === name)?.label ?? name;
  const faults = faultsOf(errors, workflow, (path) => placeWords(path, t, labelOf));
  const shared = { schema, workflow, faults, onChange, onChoose: choose };
  const choices = schema.fields.filter(
    ({ type, system, permission }) => fieldTypes[type].picks === "one" && !system && permission !== 1,
  );
  const sheet =
    chosen?.kind === "stage" ? (
      <StageSheet key={lineOf(chosen.key)} {...shared} stageKey={chosen.key} isStored={storedKeys.has(chosen.key)} />
    ) : chosen?.kind === "transition" ? (
      <TransitionSheet key={chosen.place} {...shared} place={chosen.place} />
    ) : null;
  const { sheet: rendered, slot } = useMovedSheet(sheet);
  return (
    <div data-designer>
      {rendered}
      <div className={classes.frame}>
        <WorkflowDiagram workflow={workflow} />
      </div>
      <Select
        mb="sm"
        maw={420}
        clearable
        label={t("workflows.stage_field")}
        description={t("workflows.stage_field_lead")}
        placeholder={t("workflows.no_stage_field")}
        data={choices.map(({ name, label }) => ({ value: name, label }))}
        value={workflow.stage_field ?? null}
        onChange={(name) => {
          const options = choices.find((field) => field.name === name)?.options ?? [];
          onChange(withStageField(workflow, name ?? undefined, options));
        }}
      />
      {faults.get("") !== undefined && <Notice tone="bad">{faults.get("")}</Notice>}
      <div className={design.panes} data-canvas ref={paneKeys}>
        <div>
          <ol className={design.rows} aria-label={t("workflows.stages")} data-lines>
            {workflow.stages.map((stage, index) => (
              <StageRow
                key={lineOf(stage.key)}
                {...shared}
                stage={stage}
                place={index}
                chosen={chosen}
                onMove={(from, to) =>
                  onChange({ ...workflow, stages: movedWithin(workflow.stages, from.index, to.index) })
                }
                onAdd={() => {
                  const added = withTransition(workflow, stage.key, t("workflows.new_transition"));
                  onChange(added.workflow);
                  setChosen({ kind: "transition", place: added.place });
                }}
              >
                {!isWide && sheet && slot}
              </StageRow>
            ))}
          </ol>
          <Button
            mt="sm"
            size="xs"
            variant="default"
            leftSection={<IconPlus size={15} stroke={1.8} aria-hidden="true" />}
            onClick={() => {
              const added = withStage(workflow, t("workflows.new_stage"));
              count.current += 1;
              lines.current.set(added.key, `line ${count.current}`);
              onChange(added.workflow);
              setChosen({ kind: "stage", key: added.key });
            }}
          >
            {t("workflows.add_stage")}
          </Button>
        </div>
        {isWide && (
          <div className={design.inspector} data-sheet>
            {sheet ? (
              slot
            ) : (
              <EmptyState small icon={IconGitBranch} title={t("workflows.choose")} text={t("workflows.choose_lead")} />
            )}
          </div>
        )}
      </div>
      <p className={design.none}>{t("workflows.versions")}</p>
    </div>
  );
}
