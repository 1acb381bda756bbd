// One condition to edit: which field, compared how, with what. The inputs are those of the field's type.
import { CloseButton, Select } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { FilterValueInput } from "../../../fields/filter/filter-value-input.tsx";
import { SpanInput } from "../../../fields/filter/relative-day-input.tsx";
import { fieldTypes } from "../../../fields/index.ts";
import { elementOf } from "../../../fields/inputs/field-element.ts";
import { type FoundField, fieldTitle } from "../../../fields/paths/field-path.ts";
import { FieldPicker } from "../../../fields/paths/field-picker.tsx";
import { type Leaf, takesMany, takesNone } from "./condition.ts";
import classes from "./filter.module.css";
import { isFilterable } from "./filterable.ts";
import { newLeaf, offeredOperatorOf, offeredOperators, withOperator, wordKeyOf } from "./operator-words.ts";

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
  const field = found?.field;
  const title = found ? fieldTitle(found) : leaf.column;
  const offered = offeredOperators(field);
  const operator = offeredOperatorOf(leaf, field);
  const words = (each: (typeof offered)[number]) => ({ value: each, label: t(`filter.ops.${wordKeyOf(each, field)}`) });
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
      <Select
        size="xs"
        className={classes.operator ?? ""}
        aria-label={t("filter.operator", { field: title })}
        allowDeselect={false}
        maxDropdownHeight={360}
        data={(offered.includes(operator) ? offered : [...offered, operator]).map(words)}
        value={operator}
        onChange={(next) => {
          const chosen = offered.find((each) => each === next);
          if (chosen !== undefined) onChange(withOperator(leaf, chosen, field));
        }}
      />
      <div className={classes.value}>
        {found !== undefined && <Values {...{ id, leaf, found, title, operator, onChange }} />}
      </div>
      <CloseButton size="sm" aria-label={t("filter.remove", { field: title })} onClick={onRemove} />
    </li>
  );
}

interface ValuesProps {
  readonly id: string;
  readonly leaf: Leaf;
  readonly found: FoundField | null;
  readonly title: string;
  readonly operator: string;
  readonly onChange: (leaf: Leaf) => void;
}

function Values({ id, leaf, found, title, operator, onChange }: ValuesProps) {
  const { t } = useTranslation();
  if (takesNone(leaf.operator)) return null;
  const element = found
    ? { ...elementOf(found.field), not_empty: "0" as const }
    : {
        name: [],
        __name: leaf.column,
        label: title,
        template: "input",
        method: "text",
        permission: 2 as const,
        not_empty: "0" as const,
      };
  const put = (values: readonly string[]): void => onChange({ ...leaf, values });
  const label = (target: string, words: string) => (
    <label htmlFor={target} className="visually-hidden">
      {words}
    </label>
  );
  if (operator === "within" && found) {
    return (
      <>
        {label(id, t("filter.value", { field: title }))}
        <SpanInput
          id={id}
          values={leaf.values}
          isInstant={fieldTypes[found.field.type].days === "instant"}
          onValues={put}
        />
      </>
    );
  }
  const shared = { element, error: undefined, describedBy: undefined };
  if (leaf.operator === "between") {
    const [from = "", to = ""] = leaf.values;
    return (
      <div className={classes.ends}>
        {label(id, t("filter.from", { field: title }))}
        <FilterValueInput
          {...shared}
          id={id}
          many={false}
          values={[from]}
          onValues={([next = ""]) => put([next, to])}
        />
        <span>{t("filter.and")}</span>
        {label(`${id}-to`, t("filter.to", { field: title }))}
        <FilterValueInput
          {...shared}
          id={`${id}-to`}
          many={false}
          values={[to]}
          onValues={([next = ""]) => put([from, next])}
        />
      </div>
    );
  }
  return (
    <>
      {label(id, t("filter.value", { field: title }))}
      <FilterValueInput {...shared} id={id} many={takesMany(leaf.operator)} values={leaf.values} onValues={put} />
    </>
  );
}
