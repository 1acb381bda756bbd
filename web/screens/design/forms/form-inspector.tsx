// The settings of the part of a form that is chosen: a tab, a section, or an element.
import { Button, Checkbox, Group, MultiSelect, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { FormDefinition, FormElementDefinition } from "../../../../contract/form-definition.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { elementOf } from "../../../fields/inputs/field-element.ts";
import { LateSelect } from "../../../parts/controls/late-select.tsx";
import { schemaQuery } from "../../../queries.ts";
import { ConditionInput } from "../conditions/condition-input.tsx";
import classes from "../design.module.css";
import {
  changeElement,
  changeSection,
  changeTab,
  elementAt,
  elementList,
  othersOf,
  placeOfElement,
  putElement,
  sectionToTab,
  tabsOf,
  withoutElement,
  withoutSection,
  withoutTab,
} from "./form-draft.ts";
import type { FormPart } from "./form-parts.ts";
import { RightsEditor } from "./rights-editor.tsx";

export type Chosen =
  | { readonly kind: "tab"; readonly tab: number }
  | { readonly kind: "section"; readonly tab: number; readonly section: number }
  | { readonly kind: "element"; readonly name: string };

interface FormInspectorProps {
  readonly form: FormDefinition;
  readonly schema: RecordTypeSchema;
  readonly parts: readonly FormPart[];
  readonly chosen: Chosen;
  readonly faults: ReadonlyMap<string, string>;
  readonly onChange: (form: FormDefinition) => void;
  readonly onChoose: (chosen: Chosen | undefined) => void;
  readonly onTab: (tab: number) => void;
}

export function FormInspector(props: FormInspectorProps) {
  const { chosen } = props;
  // Conditions that are not complete yet stay with the part that they were begun for.
  if (chosen.kind === "tab") return <TabSheet key={chosen.tab} {...props} tab={chosen.tab} />;
  if (chosen.kind === "section") {
    const { tab, section } = chosen;
    return <SectionSheet key={elementList(tab, section)} {...props} tab={tab} place={section} />;
  }
  return <ElementSheet key={chosen.name} {...props} name={chosen.name} />;
}

function TabSheet({ form, schema, tab, onChange, onChoose, onTab }: FormInspectorProps & { readonly tab: number }) {
  const { t } = useTranslation();
  const own = tabsOf(form)[tab];
  if (!own) return null;
  return (
    <section className={classes.sheet} aria-label={t("forms.tab_settings")}>
      <TextInput
        label={t("forms.tab_title")}
        value={own.tab}
        onChange={(event) => onChange(changeTab(form, tab, (one) => ({ ...one, tab: event.currentTarget.value })))}
      />
      <RightsEditor
        rights={own}
        fields={schema.fields}
        onChange={(rights) => onChange(changeTab(form, tab, (one) => ({ ...one, ...rights })))}
      />
      <Button
        size="compact-xs"
        variant="subtle"
        color="red"
        onClick={() => {
          onChange(withoutTab(form, tab));
          onTab(Math.max(0, tab - 1));
          onChoose(undefined);
        }}
      >
        {t("forms.remove_tab")}
      </Button>
    </section>
  );
}

interface SectionSheetProps extends FormInspectorProps {
  readonly tab: number;
  readonly place: number;
}

function SectionSheet({ form, schema, tab, place, faults, onChange, onChoose, onTab }: SectionSheetProps) {
  const { t } = useTranslation();
  const own = tabsOf(form)[tab]?.sections[place];
  if (!own) return null;
  const put = (changes: Partial<typeof own>): void =>
    onChange(changeSection(form, tab, place, (one) => ({ ...one, ...changes })));
  const tabs = tabsOf(form).flatMap((one, index) => (index === tab ? [] : [{ value: String(index), label: one.tab }]));
  return (
    <section className={classes.sheet} aria-label={t("forms.section_settings")}>
      <TextInput
        label={t("forms.section_title")}
        value={own.section}
        error={faults.get(`section ${elementList(tab, place)}`)}
        onChange={(event) => put({ section: event.currentTarget.value })}
      />
      <Textarea
        label={t("forms.help")}
        autosize
        minRows={1}
        value={own.help ?? ""}
        onChange={(event) => put({ help: event.currentTarget.value || undefined })}
      />
      <div>
        <span className={classes.caption}>{t("forms.columns")}</span>
        <SegmentedControl
          size="xs"
          aria-label={t("forms.columns")}
          data={["1", "2"]}
          value={(own.columns ?? 1) > 1 ? "2" : "1"}
          onChange={(value) => put({ columns: Number(value) })}
        />
      </div>
      {(own.others || othersOf(form) === undefined) && (
        <Checkbox
          label={t("forms.show_others")}
          description={t("forms.show_others_lead")}
          checked={own.others ?? false}
          onChange={(event) => put({ others: event.currentTarget.checked || undefined })}
        />
      )}
      {tabs.length > 0 && (
        <LateSelect
          label={t("forms.move_to_tab")}
          placeholder={t("forms.move_choose")}
          data={tabs}
          value={null}
          onChange={(value) => {
            if (value === null) return;
            onChange(sectionToTab(form, tab, place, Number(value)));
            onTab(Number(value));
            onChoose(undefined);
          }}
        />
      )}
      <RightsEditor rights={own} fields={schema.fields} onChange={put} />
      <Button
        size="compact-xs"
        variant="subtle"
        color="red"
        onClick={() => {
          onChange(withoutSection(form, tab, place));
          onChoose(undefined);
        }}
      >
        {t("forms.remove_section")}
      </Button>
    </section>
  );
}

/** Of any kind of element: a key that it does not have is never put. */
type ElementChanges = { readonly [Key in keyof UnionOf<FormElementDefinition>]?: UnionOf<FormElementDefinition>[Key] };
type UnionOf<Union> = {
  readonly [Key in Union extends unknown ? keyof Union : never]?: Union extends { readonly [Name in Key]?: infer Value }
    ? Value
    : never;
};

function ElementSheet({
  form,
  schema,
  parts,
  name,
  faults,
  onChange,
  onChoose,
}: FormInspectorProps & { readonly name: string }) {
  const { t } = useTranslation();
  const id = useId();
  const place = placeOfElement(form, name);
  const element = place && elementAt(form, place);
  const part = parts.find((one) => one.name === name);
  if (!element) return null;
  const put = (changes: ElementChanges): void =>
    // Only keys of this kind of element are put.
    onChange(changeElement(form, name, (one) => ({ ...one, ...changes }) as FormElementDefinition));
  const field = part?.field;
  const Default = field && fieldTypes[field.type].design.startsWith ? fieldTypes[field.type].Input : undefined;
  const sections = tabsOf(form).flatMap((tab, at) =>
    tab.sections.map((section, index) => ({
      value: elementList(at, index),
      label: [tab.tab, section.section || t("forms.unnamed")].filter(Boolean).join(" › "),
    })),
  );
  return (
    <section className={classes.sheet} aria-label={t("design.field_sheet", { name: part?.label ?? name })}>
      <div className={classes.kind}>
        {part && <part.icon size={18} stroke={1.6} aria-hidden="true" />}
        <span>
          <b>{part?.label ?? name}</b>
          <small>{part === undefined ? t("forms.gone") : t(`forms.kinds.${part.kind}`)}</small>
        </span>
      </div>
      {faults.get(name) !== undefined && <p className={classes.error}>{faults.get(name)}</p>}
      <TextInput
        label={t("forms.label")}
        placeholder={part?.label ?? ""}
        value={element.label ?? ""}
        onChange={(event) => put({ label: event.currentTarget.value || undefined })}
      />
      <Textarea
        label={t("forms.help")}
        autosize
        minRows={1}
        placeholder={field?.help ?? ""}
        value={element.help ?? ""}
        onChange={(event) => put({ help: event.currentTarget.value || undefined })}
      />
      <LateSelect
        label={t("forms.in_section")}
        allowDeselect={false}
        data={sections}
        value={place.list}
        onChange={(list) => {
          if (list !== null && list !== place.list) onChange(putElement(form, element, { list, index: 999 }));
        }}
      />
      {"field" in element && Default && field && (
        <div>
          <label htmlFor={id} className={classes.caption}>
            {t("design.initial")}
          </label>
          <Default
            element={{ ...elementOf(field), not_empty: "0" }}
            id={id}
            value={element.default ?? null}
            error={undefined}
            describedBy={undefined}
            onChange={(value) => put({ default: typeof value === "string" ? value : undefined })}
          />
        </div>
      )}
      {"field" in element && field && !field.required && !field.system && (
        <>
          <Checkbox
            label={t("forms.required")}
            checked={element.required ?? false}
            onChange={(event) => put({ required: event.currentTarget.checked || undefined })}
          />
          {!element.required && (
            <ConditionInput
              label={t("forms.required_if")}
              value={element.required_if}
              fields={schema.fields}
              onChange={(text) => put({ required_if: text })}
            />
          )}
        </>
      )}
      {"grid" in element && part?.rowType !== undefined && (
        <GridColumns rowType={part.rowType} columns={element.columns} onChange={(columns) => put({ columns })} />
      )}
      <RightsEditor rights={element} fields={schema.fields} onChange={put} />
      <Group gap={6}>
        <Button
          size="compact-xs"
          variant="subtle"
          color="red"
          onClick={() => {
            onChange(withoutElement(form, name));
            onChoose(undefined);
          }}
        >
          {t("forms.remove_element")}
        </Button>
      </Group>
    </section>
  );
}

interface GridColumnsProps {
  readonly rowType: string;
  readonly columns: readonly string[] | undefined;
  readonly onChange: (columns: readonly string[] | undefined) => void;
}

const ofTheParent = new Set(["owned_by", "primary_acl_group", "category_id", "related_type", "related_id"]);

function GridColumns({ rowType, columns, onChange }: GridColumnsProps) {
  const { t } = useTranslation();
  const { data } = useQuery(schemaQuery(rowType));
  const offered = (data?.fields ?? []).filter(({ system, name }) => !system && !ofTheParent.has(name));
  return (
    <MultiSelect
      label={t("forms.grid_columns")}
      description={t("forms.grid_columns_lead")}
      data={offered.map(({ name, label }) => ({ value: name, label }))}
      value={[...(columns ?? [])]}
      onChange={(value) => onChange(value.length === 0 ? undefined : value)}
    />
  );
}
