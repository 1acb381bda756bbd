// The settings of one stage: what it is called, whose turn it is there, what they may do meanwhile, what happens on arrival.
import { Button, Checkbox, Group, MultiSelect, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { ActorName, LentRight, StageDefinition, WorkflowDefinition } from "../../../../contract/workflow.ts";
import { ColorChoice } from "../../../fields/design/color-choice.tsx";
import design from "../design.module.css";
import { ActorsInput } from "./actors-input.tsx";
import { ActorsNotice } from "./actors-notice.tsx";
import type { ChosenPart } from "./chosen-part.ts";
import { EffectsEditor } from "./effects-editor.tsx";
import { changeStage, nameStage, renameKey, withoutStage } from "./workflow-draft.ts";

interface StageSheetProps {
  readonly schema: RecordTypeSchema;
  readonly workflow: WorkflowDefinition;
  readonly stageKey: string;
  readonly isStored: boolean;
  readonly onChange: (workflow: WorkflowDefinition) => void;
  readonly onChoose: (chosen: ChosenPart | undefined) => void;
}

const lent = ["edit", "delete"] as const satisfies readonly LentRight[];
const kinds = ["start", "stage", "end"] as const;

export function StageSheet({ schema, workflow, stageKey, isStored, onChange, onChoose }: StageSheetProps) {
  const { t } = useTranslation();
  const stage = workflow.stages.find(({ key }) => key === stageKey);
  if (!stage) return null;
  const put = (changes: Partial<StageDefinition>): void => onChange(changeStage(workflow, stageKey, changes));
  const field = schema.fields.find(({ name }) => name === workflow.stage_field);
  const grants = stage.grants ?? ["edit"];
  const isEnd = stage.kind === "end";
  return (
    <section className={design.sheet} aria-label={t("workflows.stage_sheet", { name: stage.name })}>
      <Group gap={8} wrap="nowrap" align="flex-end">
        <TextInput
          label={t("workflows.stage_name")}
          style={{ flex: 1 }}
          value={stage.name}
          onChange={(event) => {
            const named = nameStage(workflow, stageKey, event.currentTarget.value, isStored);
            onChange(named.workflow);
            onChoose({ kind: "stage", key: named.key });
          }}
        />
        <ColorChoice name={stage.name} color={stage.color} onChange={(color) => put({ color })} />
      </Group>
      <div>
        <span className={design.caption}>{t("workflows.kind")}</span>
        <SegmentedControl
          size="xs"
          aria-label={t("workflows.kind")}
          data={kinds.map((kind) => ({ value: kind, label: t(`workflows.kinds.${kind}`) }))}
          value={stage.kind ?? "stage"}
          onChange={(value) => {
            if (value === "end") put({ kind: "end", actors: undefined, grants: undefined });
            else put({ kind: value === "start" ? "start" : undefined });
          }}
        />
      </div>
      {field && (
        <Select
          label={t("workflows.stage_value", { field: field.label })}
          description={t("workflows.stage_value_lead")}
          data={(field.options ?? []).map(({ value, label }) => ({ value, label }))}
          value={stage.value ?? null}
          onChange={(value) => put({ value: value ?? undefined })}
        />
      )}
      {!isEnd && (
        <>
          <ActorsInput
            label={t("workflows.turn")}
            help={t("workflows.turn_lead")}
            value={stage.actors ?? []}
            fields={schema.fields}
            placeholder={t("workflows.nobody")}
            // The list offers nothing else.
            onChange={(actors) => put({ actors: actors.length === 0 ? undefined : (actors as readonly ActorName[]) })}
          />
          <ActorsNotice recordTypeKey={schema.recordType.key} actors={stage.actors ?? []} />
          <Checkbox.Group
            label={t("workflows.lent")}
            description={t("workflows.lent_lead")}
            value={[...grants]}
            onChange={(value) => {
              const next: readonly LentRight[] = ["read", ...lent.filter((right) => value.includes(right))];
              put({ grants: next.length === 2 && next[1] === "edit" ? undefined : next });
            }}
          >
            <Group gap="md" mt={4}>
              {lent.map((right) => (
                <Checkbox key={right} value={right} label={t(`workflows.rights.${right}`)} />
              ))}
            </Group>
          </Checkbox.Group>
        </>
      )}
      <MultiSelect
        label={t("workflows.fixed")}
        description={t("workflows.fixed_lead")}
        searchable
        selectFirstOptionOnChange
        data={schema.fields.filter(({ system }) => !system).map(({ name, label }) => ({ value: name, label }))}
        value={[...(stage.fixed ?? [])]}
        onChange={(fixed) => put({ fixed: fixed.length === 0 ? undefined : fixed })}
      />
      <EffectsEditor
        label={t("workflows.on_arrival")}
        effects={stage.enter}
        schema={schema}
        {...(stage.kind === "start" ? { offered: ["set"] as const } : {})}
        onChange={(enter) => put({ enter })}
      />
      <TextInput
        label={t("workflows.key")}
        description={t(isStored ? "workflows.key_fixed" : "workflows.key_lead")}
        disabled={isStored}
        value={stage.key}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        onChange={(event) => {
          const next = event.currentTarget.value;
          if (next === "" || workflow.stages.some(({ key }) => key === next)) return;
          onChange(renameKey(workflow, stageKey, next));
          onChoose({ kind: "stage", key: next });
        }}
      />
      <Button
        size="compact-xs"
        variant="subtle"
        color="red"
        disabled={workflow.stages.length === 1}
        onClick={() => {
          onChange(withoutStage(workflow, stageKey));
          onChoose(undefined);
        }}
      >
        {t("workflows.remove_stage")}
      </Button>
    </section>
  );
}
