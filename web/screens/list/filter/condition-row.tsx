// One condition to edit: which field, compared how, with what. The inputs are those of the field's type.
import { CloseButton } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import { type FoundField, fieldTitle } from "../../../fields/paths/field-path.ts";
import { FieldPicker } from "../../../fields/paths/field-picker.tsx";
import type { Leaf } from "./condition.ts";
import { OperatorInput, ValuesInput } from "./condition-inputs.tsx";
import classes from "./filter.module.css";
import { newLeaf } from "./operator-words.ts";

interface ConditionRowProps {
  readonly recordTypeKey: string;
  readonly leaf: Leaf;
  readonly found: FoundField | null | undefined;
  readonly offers: (field: SchemaField) => boolean;
  readonly ownOnly: boolean;
  readonly onChange: (leaf: Leaf) => void;
  readonly onRemove: () => void;
}

export function ConditionRow(props: ConditionRowProps) {
  const { recordTypeKey, leaf, found, offers, ownOnly, onChange, onRemove } = props;
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
          offers={offers}
          ownOnly={ownOnly}
          onChoose={({ column, field: chosen }) => onChange(newLeaf(column, chosen))}
        />
      </div>
      <OperatorInput {...{ leaf, found, onChange }} />
      <div className={classes.value}>{found !== undefined && <ValuesInput {...{ id, leaf, found, onChange }} />}</div>
      <CloseButton size="sm" aria-label={t("filter.remove", { field: title })} onClick={onRemove} />
    </li>
  );
}
