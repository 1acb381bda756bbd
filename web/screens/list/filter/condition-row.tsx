// One condition to edit: which field, compared how, with what. The inputs are those of the field's type.
import { CloseButton } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type FoundField, fieldTitle } from "../../../fields/paths/field-path.ts";
import { FieldPicker } from "../../../fields/paths/field-picker.tsx";
import type { Leaf } from "./condition.ts";
import { OperatorInput, ValuesInput } from "./condition-inputs.tsx";
import classes from "./filter.module.css";
import { isFilterable } from "./filterable.ts";
import { newLeaf } from "./operator-words.ts";

interface ConditionRowProps {
  readonly recordTypeKey: string;
  readonly leaf: Leaf;
  readonly found: FoundField | null | undefined;
  readonly onChange: (leaf: Leaf) => void;
  readonly onRemove: () => void;
}

export function ConditionRow({ recordTypeKey, leaf, found, onChange, onRemove }: ConditionRowProps) {
  const { t } = useTranslation();
  const id = useId();
  const title = found ? fieldTitle(found) : leaf.column;
  return (
    <li className={classes.condition}>
      <div className={classes.field}>
        <FieldPicker
          recordTypeKey={recordTypeKey}
          label={t("filter.field")}
          title={title}
          many
          offers={isFilterable}
          onChoose={({ column, field: chosen }) => onChange(newLeaf(column, chosen))}
        />
      </div>
      <OperatorInput {...{ leaf, found, onChange }} />
      <div className={classes.value}>{found !== undefined && <ValuesInput {...{ id, leaf, found, onChange }} />}</div>
      <CloseButton size="sm" aria-label={t("filter.remove", { field: title })} onClick={onRemove} />
    </li>
  );
}
