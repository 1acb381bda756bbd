// The form tree of a record: sections with their fields and children, to read or to edit.
import type { FormElement, RecordView, WireChild, WireRecord } from "../../../client/records.ts";
import { permission } from "../../../contract/permissions.ts";
import { Section } from "../../parts/section.tsx";
import { ChildGrid } from "./child-grid.tsx";
import { fieldName, isDrawn, permissionNow, sectionsOf } from "./form-rules.ts";
import classes from "./record.module.css";
import { RecordField } from "./record-field.tsx";
import type { Change, Changes } from "./use-draft.ts";

interface RecordFormProps {
  readonly view: RecordView;
  readonly record: WireRecord;
  readonly isEdited: boolean;
  readonly changes: Changes;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly onChange: (field: string, change: Change) => void;
}

export function RecordForm({ view, record, isEdited, changes, errors, onChange }: RecordFormProps) {
  const stored = (field: string): unknown => record[field];
  const typed = (field: string): unknown => (changes[field] ? changes[field].value : record[field]);
  const allowed = (element: FormElement) => permissionNow(element, stored, typed, isEdited);
  return sectionsOf(view.form).map((section) => {
    const elements = section.elements.filter(
      // A new record has nothing to show yet but what can be filled in.
      (element) =>
        (view.id === null ? allowed(element) === permission.EDIT : allowed(element) !== permission.DELETE) &&
        isDrawn(element, record),
    );
    if (elements.length === 0) return null;
    return (
      <Section key={section.key} title={section.label}>
        <div className={classes.fields} data-columns={section.columns > 1 ? 2 : 1}>
          {elements.map((element) => {
            const name = fieldName(element);
            if (element.template === "grid") {
              return (
                <ChildGrid key={element.__name} element={element} rows={(record[name] ?? []) as readonly WireChild[]} />
              );
            }
            return (
              <RecordField
                key={element.__name}
                element={element}
                record={record}
                change={changes[name]}
                isEdited={isEdited && allowed(element) === permission.EDIT}
                errors={errors[element.__name] ?? []}
                onChange={onChange}
              />
            );
          })}
        </div>
      </Section>
    );
  });
}
