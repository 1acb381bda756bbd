// The form tree of a record: its tabs, sections, fields and children, to read or to edit. Fields that were refused on a
// tab that is not in sight mark it.
import { Button, Tabs } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { type ReactNode, useLayoutEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FormElement, RecordView, WireRecord } from "../../../../client/records/records.ts";
import { permission } from "../../../../contract/permissions.ts";
import { FilePlaceContext } from "../../../fields/files/file-place.ts";
import { RecordValuesContext, useRecordValues } from "../../../fields/files/record-values.ts";
import { useTimeZone } from "../../../fields/formats.ts";
import { FaultCount } from "../../../parts/layout/fault-count.tsx";
import { usePrinting } from "../../../parts/use-printing.ts";
import { useSteady } from "../../../parts/use-steady.ts";
import classes from "../record.module.css";
import { checkRecord } from "./check-record.ts";
import { ChildGrid } from "./child-grid.tsx";
import { rowsOf } from "./child-rows.ts";
import { type FieldErrors, isRefused, type Jump } from "./form-errors.ts";
import {
  type FormSection,
  type FormTab,
  fieldName,
  hasPlace,
  isDrawn,
  isRequired,
  type PlacedElement,
  permissionNow,
  tabsOf,
} from "./form-rules.ts";
import { GridEditor } from "./grid-editor.tsx";
import { RecordField } from "./record-field.tsx";
import { RecordSection } from "./record-section.tsx";
import type { Change, Changes } from "./use-draft.ts";

const none: readonly never[] = [];
const noRules: NonNullable<RecordView["filterRules"]> = {};

interface RecordFormProps {
  readonly view: RecordView;
  readonly record: WireRecord;
  readonly isEdited: boolean;
  readonly changes: Changes;
  /** Fields that show what comes from a record which this one names. */
  readonly taken?: ReadonlySet<string> | undefined;
  readonly errors: FieldErrors;
  readonly onChange: (field: string, change: Change) => void;
  readonly jump?: Jump | undefined;
  /** Only these fields, without their sections: a quick new record. */
  readonly only?: ReadonlySet<string> | undefined;
  /** The field that is being filled in, where the form is only read. */
  readonly open?: string | undefined;
  /** What stands for the value of a field that may be changed, where the form is only read. */
  readonly shown?: ((element: FormElement, required: boolean) => ReactNode) | undefined;
}

export function RecordForm(props: RecordFormProps) {
  const { view, record, isEdited, changes, errors, jump, only, open, shown } = props;
  const onChange = useSteady(props.onChange);
  const { t } = useTranslation();
  const isPrinting = usePrinting();
  const timeZone = useTimeZone();
  const [showsEmpty, setShowsEmpty] = useLocalStorage({
    key: "dossier.form.empty",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  // What needs a value, or has had one, stays where it is: nothing jumps under one's hands.
  const [filled] = useState(() => new Set<string>());
  const typed = (field: string): unknown => {
    // What a chosen record is called is known by its field.
    const named = field.startsWith("__") ? changes[field.slice(2)] : undefined;
    if (named) return named.text ?? null;
    return changes[field] ? changes[field].value : record[field];
  };
  const allowed = (placed: PlacedElement) => {
    const now = permissionNow(placed, typed);
    const isFixed = view.workflow?.fixed.includes(fieldName(placed.element));
    return isFixed && now === permission.EDIT ? permission.VIEW : now;
  };
  const values = useRecordValues(typed);
  const { model, id } = view;
  const place = useMemo(() => (id === null ? undefined : { recordTypeKey: model, id }), [model, id]);
  const rules = view.filterRules ?? noRules;
  const drawn = ({ elements }: FormSection): readonly PlacedElement[] =>
    elements.filter(
      (placed) =>
        // A new record has nothing to show yet but what can be filled in.
        (view.id === null ? allowed(placed) === permission.EDIT : allowed(placed) !== permission.DELETE) &&
        isDrawn(placed.element, record, isEdited && allowed(placed) === permission.EDIT),
    );
  const isEmpty = ({ element }: PlacedElement): boolean => {
    const name = fieldName(element);
    const key = `${view.id}.${name}`;
    if (hasPlace(element, record, typed)) filled.add(key);
    return !filled.has(key) && name !== open;
  };
  const isRead = !isEdited && view.id !== null;
  const folds = isRead && !isPrinting && !showsEmpty;
  const inSight = (section: FormSection): readonly PlacedElement[] =>
    folds ? drawn(section).filter((placed) => !isEmpty(placed)) : drawn(section);
  const all = tabsOf(view.form);
  const empty = isRead ? all.flatMap(({ sections }) => sections.flatMap(drawn)).filter(isEmpty).length : 0;
  const tabs = all
    .map((tab) => ({ ...tab, sections: tab.sections.filter((section) => inSight(section).length > 0) }))
    .filter(({ sections }) => sections.length > 0);
  const [chosen, setChosen] = useState<string>();
  const current = tabs.find(({ key }) => key === chosen) ?? tabs[0];

  const inTab = ({ sections }: FormTab, path: string): boolean =>
    sections.some(({ elements }) =>
      elements.some(({ element }) => path === element.__name || path.startsWith(`${element.__name}.`)),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new jump goes anywhere
  useLayoutEffect(() => {
    const tab = jump && tabs.find((one) => inTab(one, jump.path));
    if (tab) setChosen(tab.key);
  }, [jump]);

  const labelOf = (name: string | null | undefined): string | undefined =>
    name == null
      ? undefined
      : all
          .flatMap((tab) => tab.sections.flatMap((section) => section.elements))
          .find(({ element }) => fieldName(element) === name)?.element.label;
  const draw = (placed: PlacedElement): ReactNode => {
    const { element } = placed;
    const name = fieldName(element);
    const mayEdit = allowed(placed) === permission.EDIT;
    if (element.template === "grid") {
      const change = changes[name]?.value;
      const rows = Array.isArray(change) ? change : rowsOf(record, name);
      if (!isEdited || !mayEdit) return <ChildGrid key={element.__name} element={element} rows={rows} />;
      return <GridEditor key={element.__name} recordTypeKey={model} {...{ element, rows, rules, errors, onChange }} />;
    }
    const required = isRequired(element, typed);
    return (
      <RecordField
        key={element.__name}
        element={element}
        record={record}
        change={changes[name]}
        isEdited={isEdited && mayEdit}
        isRequired={required}
        rules={rules[name] ?? none}
        broken={isEdited ? checkRecord(rules[name] ?? none, changes, typed, timeZone) : none}
        isNew={view.id === null}
        takenFrom={props.taken?.has(name) ? labelOf(element.starts_from?.reference) : undefined}
        errors={errors[element.__name] ?? none}
        onChange={onChange}
        shown={!isEdited && mayEdit ? shown?.(element, required) : undefined}
      />
    );
  };
  const sections = (tab: FormTab): ReactNode =>
    tab.sections.map((section) => (
      <RecordSection
        key={section.key}
        id={`${view.form.name[0]}.${section.key}`}
        title={section.label}
        help={section.help}
        isOpened={section.elements.some(({ element }) => isRefused(errors, element.__name))}
        jump={jump && section.elements.some(({ element }) => jump.path.startsWith(element.__name)) ? jump : undefined}
      >
        <div className={classes.fields} data-columns={section.columns > 1 ? 2 : 1}>
          {inSight(section).map(draw)}
        </div>
      </RecordSection>
    ));
  const fold = empty > 0 && !isPrinting && (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      className={classes.showEmpty ?? ""}
      aria-expanded={showsEmpty}
      onClick={() => setShowsEmpty(!showsEmpty)}
    >
      {t(showsEmpty ? "record.hide_empty" : "record.show_empty", { count: empty })}
    </Button>
  );
  if (current === undefined) return fold || null;
  const inPlace = (content: ReactNode) => (
    <RecordValuesContext value={values}>
      <FilePlaceContext value={place}>{content}</FilePlaceContext>
    </RecordValuesContext>
  );
  if (only) {
    const placed = all.flatMap(({ sections: inside }) => inside.flatMap(drawn));
    return inPlace(
      <div className={classes.fields} data-columns={2}>
        {placed.filter(({ element }) => only.has(fieldName(element))).map(draw)}
      </div>,
    );
  }
  if (tabs.length === 1 || (isPrinting && !isEdited)) {
    return (
      <>
        {inPlace(tabs.map(sections))}
        {fold}
      </>
    );
  }
  return inPlace(
    <Tabs value={current.key} onChange={(key) => setChosen(key ?? undefined)} keepMounted={false}>
      <Tabs.List mb="lg" className={classes.tabs ?? ""}>
        {tabs.map((tab) => {
          const refused = Object.keys(errors).filter((path) => inTab(tab, path)).length;
          return (
            <Tabs.Tab key={tab.key} value={tab.key} rightSection={refused > 0 && <FaultCount count={refused} />}>
              {tab.label}
            </Tabs.Tab>
          );
        })}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.key} value={tab.key}>
          {sections(tab)}
        </Tabs.Panel>
      ))}
      {fold}
    </Tabs>,
  );
}
