// The settings of one transition: from where to where, who may take it, what it needs, what happens along with it.
import { Button, MultiSelect, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type {
  ActorName,
  ReasonNeed,
  TransitionDefinition,
  TransitionKind,
  WorkflowDefinition,
} from "../../../../contract/workflow.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { ConditionInput } from "../conditions/condition-input.tsx";
import design from "../design.module.css";
import { ActorsInput } from "./actors-input.tsx";
import { ActorsNotice } from "./actors-notice.tsx";
import type { ChosenPart } from "./chosen-part.ts";
import { EffectsEditor } from "./effects-editor.tsx";
import { changeTransition, fromOf, withoutTransition } from "./workflow-draft.ts";

interface TransitionSheetProps {
  readonly schema: RecordTypeSchema;
  readonly workflow: WorkflowDefinition;
  readonly place: number;
  readonly onChange: (workflow: WorkflowDefinition) => void;
  readonly onChoose: (chosen: ChosenPart | undefined) => void;
}

const kinds: readonly TransitionKind[] = ["move", "approve", "reject", "recall"];
const reasons: readonly ReasonNeed[] = ["none", "optional", "required"];

export function TransitionSheet({ schema, workflow, place, onChange, onChoose }: TransitionSheetProps) {
  const { t } = useTranslation();
  const one = workflow.transitions[place];
  if (!one) return null;
  const put = (changes: Partial<TransitionDefinition>): void => onChange(changeTransition(workflow, place, changes));
  const kind = one.kind ?? "move";
  const stages = workflow.stages.map((stage) => ({ value: stage.key, label: stage.name || stage.key }));
  return (
    <section className={design.sheet} aria-label={t("workflows.transition_sheet", { name: one.label })}>
      <TextInput
        label={t("workflows.transition_label")}
        description={t("workflows.transition_label_lead")}
        value={one.label}
        onChange={(event) => put({ label: event.currentTarget.value })}
      />
      <MultiSelect
        label={t("workflows.from")}
        data={stages.filter(({ value }) => workflow.stages.find(({ key }) => key === value)?.kind !== "end")}
        value={[...fromOf(one)]}
        onChange={(from) => from.length > 0 && put({ from })}
      />
      <Select
        label={t("workflows.goes_to")}
        allowDeselect={false}
        data={stages}
        value={one.to}
        onChange={(to) => to !== null && put({ to })}
      />
      <Select
        label={t("workflows.transition_kind")}
        description={t(`workflows.kind_leads.${kind}`)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        allowDeselect={false}
        data={kinds.map((value) => ({ value, label: t(`workflows.transition_kinds.${value}`) }))}
        value={kind}
        onChange={(value) => {
          const next = kinds.find((each) => each === value) ?? "move";
          put({
            kind: next === "move" ? undefined : next,
            ...(next === "approve" ? {} : { needs: undefined }),
            ...(next === "reject" ? { reason: undefined } : {}),
          });
        }}
      />
      {kind === "approve" && (
        <div>
          <span className={design.caption}>{t("workflows.needs")}</span>
          <SegmentedControl
            size="xs"
            aria-label={t("workflows.needs")}
            data={(["any", "all"] as const).map((value) => ({ value, label: t(`workflows.need.${value}`) }))}
            value={one.needs ?? "any"}
            onChange={(value) => put(value === "all" ? { needs: "all", by: undefined } : { needs: undefined })}
          />
        </div>
      )}
      {one.needs !== "all" && (
        <>
          <ActorsInput
            label={t("workflows.by")}
            value={one.by ?? []}
            fields={schema.fields}
            placeholder={t(kind === "recall" ? "workflows.by_owner" : "workflows.by_stage")}
            // The list offers nothing else.
            onChange={(by) => put({ by: by.length === 0 ? undefined : (by as readonly ActorName[]) })}
          />
          <ActorsNotice recordTypeKey={schema.recordType.key} actors={one.by ?? []} />
        </>
      )}
      <ConditionInput
        label={t("workflows.possible_when")}
        value={one.condition}
        fields={schema.fields}
        onChange={(condition) => put({ condition })}
      />
      <MultiSelect
        label={t("workflows.required")}
        description={t("workflows.required_lead")}
        searchable
        selectFirstOptionOnChange
        // What the service fills in, nobody else can.
        data={schema.fields
          .filter(({ system, computed, type }) => !system && !computed && !fieldTypes[type].design.filledIn)
          .map(({ name, label }) => ({ value: name, label }))}
        value={[...(one.required ?? [])]}
        onChange={(required) => put({ required: required.length === 0 ? undefined : required })}
      />
      {kind !== "reject" && (
        <Select
          label={t("workflows.reason")}
          allowDeselect={false}
          data={reasons.map((value) => ({ value, label: t(`workflows.reasons.${value}`) }))}
          // As the service takes one that says nothing.
          value={one.reason ?? "optional"}
          onChange={(value) => put({ reason: reasons.find((each) => each === value) })}
        />
      )}
      <EffectsEditor
        label={t("workflows.along")}
        effects={one.effects}
        schema={schema}
        onChange={(effects) => put({ effects })}
      />
      <Button
        size="compact-xs"
        variant="subtle"
        color="red"
        onClick={() => {
          onChange(withoutTransition(workflow, place));
          onChoose(undefined);
        }}
      >
        {t("workflows.remove_transition")}
      </Button>
    </section>
  );
}
