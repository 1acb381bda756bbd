// Everything of one field: its label and name, its type with the settings that it has, what is asked of its values.
import { Button, Checkbox, Select, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { permission } from "../../../../contract/permissions.ts";
import type { SettingDesign } from "../../../fields/design/field-design.ts";
import { settingInputs } from "../../../fields/design/setting-inputs.tsx";
import { fieldTypes } from "../../../fields/index.ts";
import { Tag } from "../../../parts/layout/tag.tsx";
import classes from "../design.module.css";
import { fieldUsesQuery } from "../design-queries.ts";
import { FieldUses } from "./changes/field-uses.tsx";
import { OfferValues } from "./changes/offer-values.tsx";
import { ChoicesPart } from "./choices-part.tsx";
import { ComputedPart } from "./computed/computed-part.tsx";
import { fieldPaths } from "./fault-place.ts";
import { InitialPart } from "./initial-part.tsx";
import { changeField, type DraftField, type FieldChanges } from "./type-draft.ts";
import type { PartProps } from "./type-parts.ts";

/** Asked for when somebody wants to know: a change of the field should frighten nobody. */
function UsesOfField({ draft, name }: { readonly draft: PartProps["draft"]; readonly name: string }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const query = useQuery({ ...fieldUsesQuery(`${draft.module}/${draft.controller}`, name), enabled: opened });
  return (
    <div>
      <Button size="compact-xs" variant="subtle" ms={-8} aria-expanded={opened} onClick={() => setOpened(!opened)}>
        {t("design.uses")}
      </Button>
      {opened && query.data && <FieldUses uses={query.data} />}
    </div>
  );
}

interface FieldInspectorProps extends PartProps {
  readonly field: DraftField;
  readonly onRetype: () => void;
}

const levels = { editable: permission.EDIT, read_only: permission.VIEW, hidden: permission.DELETE } as const;
const levelNames = ["editable", "read_only", "hidden"] as const;

export function FieldInspector({ field, draft, start, change, errors, choices, onRetype }: FieldInspectorProps) {
  const { t } = useTranslation();
  const { design, isReference } = fieldTypes[field.type];
  const facts = choices.field_types.find(({ id }) => id === field.type);
  const put: Put = (changes) => change(changeField(draft, field.id, changes));
  const error = (path: string): string | undefined => errors.get(`field.${field.id}.${path}`);
  const at = (...paths: readonly string[]): string => fieldPaths(field.id, paths);
  const name = field.label || field.name || t("design.new_field");
  const level = levelNames.find((one) => levels[one] === (field.permission ?? permission.EDIT)) ?? "editable";
  const { icon: TypeIcon } = design;
  // Of a field that ships only words, options and a little more can be another.
  const base = field.shipped;
  const { computed } = field;
  const isFilledIn = design.filledIn === true || computed !== undefined;
  // A lookup has what the field has that it shows.
  const stored = field.isStored ? start.fields.find(({ id }) => id === field.id) : undefined;
  const settings = (design.settings ?? []).filter(
    ({ name: setting }) => (!base || setting === "options") && computed?.kind !== "lookup",
  );
  const shownLevels = levelNames.filter(
    (one) => !base || one === "hidden" || levels[one] === (base.permission ?? permission.EDIT),
  );
  return (
    <section className={classes.sheet} aria-label={t("design.field_sheet", { name })}>
      <div className={classes.kind}>
        <TypeIcon size={18} stroke={1.6} aria-hidden="true" />
        <span>
          <b>{t(computed ? `design.computed.${computed.kind}` : `field_types.${field.type}`)}</b>
          <small>{t(computed ? `design.computed_leads.${computed.kind}` : `design.types.${field.type}`)}</small>
        </span>
        {base ? (
          <Tag>{t("design.built_in")}</Tag>
        ) : computed ? null : (
          <Button size="compact-xs" variant="default" data-path={at("type")} onClick={onRetype}>
            {t("design.retype")}
          </Button>
        )}
      </div>
      {field.isStored && <UsesOfField draft={draft} name={field.id} />}
      {error("type") && <p className={classes.error}>{error("type")}</p>}
      <div className={classes.pair}>
        <TextInput
          label={t("design.field_label")}
          withAsterisk
          autoFocus={!field.isStored && field.label === ""}
          value={field.label ?? ""}
          data-path={at("label")}
          error={error("label")}
          onChange={(event) => put({ label: event.currentTarget.value })}
        />
        <TextInput
          label={t("design.field_name")}
          description={
            base
              ? t("design.field_name_fixed")
              : field.isStored && field.name !== field.id
                ? t("design.field_name_old", { name: field.id })
                : undefined
          }
          inputWrapperOrder={["label", "input", "description", "error"]}
          withAsterisk
          disabled={base !== undefined}
          value={field.name}
          data-path={at("name")}
          error={error("name")}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          onChange={(event) => put({ name: event.currentTarget.value })}
        />
      </div>
      {computed && <ComputedPart {...{ field, stored, computed, draft, choices, error }} onChange={put} />}
      {settings.map((setting) => (
        <div key={setting.name} data-path={at(`settings.${setting.name}`, "settings")}>
          <Setting {...{ setting, field, draft, choices, error }} onChange={put} />
        </div>
      ))}
      {isReference && !computed && <ChoicesPart {...{ field, draft }} error={error("where")} onChange={put} />}
      {design.startsWith && !computed && !(isReference && !field.settings?.to) && (
        <div data-path={at("initial", "initialFormula")}>
          <InitialPart {...{ field, draft }} error={error("initial") ?? error("initialFormula")} onChange={put} />
        </div>
      )}
      <Textarea
        label={t("design.field_help")}
        description={t("design.field_help_lead")}
        autosize
        minRows={1}
        maxRows={4}
        value={field.help ?? ""}
        data-path={at("help")}
        error={error("help")}
        onChange={(event) => put({ help: event.currentTarget.value || undefined })}
      />
      {!isFilledIn && (
        <>
          <Checkbox
            label={t("design.required")}
            description={t("design.required_lead")}
            checked={field.required ?? false}
            disabled={base?.required === true}
            onChange={(event) => put({ required: event.currentTarget.checked || undefined })}
          />
          {facts?.may_be_unique && !base && (
            <Checkbox
              label={t("design.unique")}
              description={t("design.unique_lead")}
              data-path={at("unique")}
              error={error("unique")}
              checked={field.unique ?? false}
              onChange={(event) => put({ unique: event.currentTarget.checked || undefined })}
            />
          )}
        </>
      )}
      {facts?.searchable && !base && (
        <Checkbox
          label={t("design.searchable")}
          description={t("design.searchable_lead")}
          checked={field.searchable ?? false}
          onChange={(event) => put({ searchable: event.currentTarget.checked || undefined })}
        />
      )}
      {facts?.sortable && !base && (
        <Checkbox
          label={t("design.indexed")}
          description={t("design.indexed_lead")}
          checked={field.indexed ?? false}
          onChange={(event) => put({ indexed: event.currentTarget.checked || undefined })}
        />
      )}
      {!isFilledIn && (
        <Select
          label={t("design.level")}
          description={t("design.level_lead")}
          allowDeselect={false}
          data={shownLevels.map((one) => ({ value: one, label: t(`design.levels.${one}`) }))}
          value={level}
          data-path={at("permission")}
          error={error("permission")}
          onChange={(value) => {
            const next = levelNames.find((one) => one === value) ?? "editable";
            const whole = next === "editable" ? undefined : levels[next];
            if (base) put({ permission: next === "hidden" ? levels.hidden : base.permission });
            else put({ permission: whole, setByWorkflow: undefined });
          }}
        />
      )}
      {!isFilledIn && !base && level === "read_only" && (
        <Checkbox
          label={t("design.set_by_workflow")}
          description={t("design.set_by_workflow_lead")}
          checked={field.setByWorkflow ?? false}
          onChange={(event) => put({ setByWorkflow: event.currentTarget.checked || undefined })}
        />
      )}
    </section>
  );
}

type Put = (changes: FieldChanges) => void;

interface SettingProps extends Pick<FieldInspectorProps, "field" | "draft" | "choices"> {
  readonly setting: SettingDesign;
  readonly error: (path: string) => string | undefined;
  readonly onChange: Put;
}

function Setting({ setting, field, draft, choices, error, onChange }: SettingProps) {
  const { t } = useTranslation();
  const Input = settingInputs[setting.kind];
  const { name } = setting;
  const put = (value: unknown): void => {
    const { [name]: _, ...others } = field.settings ?? {};
    const settings = value === undefined ? others : { ...others, [name]: value };
    onChange({ settings: Object.keys(settings).length === 0 ? undefined : settings });
  };
  const ownKey = `${draft.module}/${draft.controller}`;
  const isRetyped = field.storedType !== undefined && field.storedType !== field.type;
  const input = (
    <Input
      design={setting}
      label={t(`design.settings.${name}`)}
      help={t(`design.setting_helps.${name}`)}
      value={field.settings?.[name]}
      // A fault of all settings together stands at the first.
      error={error(`settings.${name}`) ?? error("settings")}
      errorAt={(path) => error(`settings.${name}.${path}`)}
      pathOf={(path) => fieldPaths(field.id, [`settings.${name}.${path}`])}
      onChange={put}
      types={choices.record_types.filter((type) => type.is_hidden === 0 || type.key === ownKey)}
      fields={draft.fields}
    />
  );
  if (setting.kind !== "options" || !isRetyped || !fieldTypes[field.storedType ?? field.type].isText) return input;
  return (
    <div>
      {input}
      <OfferValues recordTypeKey={ownKey} field={field} onChange={put} />
    </div>
  );
}
