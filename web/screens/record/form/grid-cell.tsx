// One cell of a grid that is edited: the input of its field without a frame, named by its column and row.
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { FieldRule, FormElement, WireChild, WireValue } from "../../../../client/records/records.ts";
import { RecordValuesContext, useRecordValues } from "../../../fields/files/record-values.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { checkValue } from "../../../fields/inputs/check-value.ts";
import { useLeft } from "../../../parts/controls/use-left.ts";
import { fieldName } from "./form-rules.ts";
import { StoredValue } from "./stored-value.tsx";

interface GridCellProps {
  readonly column: FormElement;
  readonly row: WireChild;
  readonly number: number;
  readonly isEdited: boolean;
  readonly rules: readonly FieldRule[];
  readonly errors: readonly string[];
  readonly onChange: (value: WireValue, text?: string | null) => void;
}

export function GridCell({ column, row, number, isEdited, rules, errors, onChange }: GridCellProps) {
  const { t } = useTranslation();
  const id = useId();
  const [isLeft, leave] = useLeft();
  // The fields of its own type: the record around it may have others of the same names.
  const values = useRecordValues((field) => row[field]);
  const name = fieldName(column);
  const value = row[name] ?? null;
  const called = row[`__${name}`];
  const text = typeof called === "string" ? called : undefined;
  const Input = isEdited && column.type !== undefined ? fieldTypes[column.type].Input : undefined;
  if (!Input) {
    return (
      <div>
        <StoredValue element={column} record={row} value={value} text={text} />
      </div>
    );
  }
  const required = column.not_empty === "1" ? t("record.required", { label: column.label }) : undefined;
  const faults = errors.length > 0 ? errors : isLeft ? checkValue(rules, value, required) : [];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the input inside was left
    <div onBlur={leave}>
      <RecordValuesContext value={values}>
        <Input
          element={column}
          id={id}
          name={t("record.cell", { label: column.label, number })}
          value={value}
          text={text}
          error={faults.length > 0 ? faults.join(" ") : undefined}
          describedBy={undefined}
          onChange={onChange}
        />
      </RecordValuesContext>
    </div>
  );
}
