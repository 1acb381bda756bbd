// The inputs of one condition: compared how, and with what. They are those of the field's type.
import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { FilterValueInput } from "../../../fields/filter/filter-value-input.tsx";
import { SpanInput } from "../../../fields/filter/relative-day-input.tsx";
import { fieldTypes } from "../../../fields/index.ts";
import { elementOf } from "../../../fields/inputs/field-element.ts";
import { type FoundField, fieldTitle } from "../../../fields/paths/field-path.ts";
import { type Leaf, takesMany, takesNone } from "./condition.ts";
import classes from "./filter.module.css";
import { offeredOperatorOf, offeredOperators, withOperator, wordKeyOf } from "./operator-words.ts";

interface OperatorInputProps {
  readonly leaf: Leaf;
  readonly found: FoundField | null | undefined;
  /** False inside of what closes by a click outside of it; there, named spans of days are not offered. */
  readonly withinPortal?: boolean;
  readonly onChange: (leaf: Leaf) => void;
}

export function OperatorInput({ leaf, found, withinPortal = true, onChange }: OperatorInputProps) {
  const { t } = useTranslation();
  const field = found?.field;
  const title = found ? fieldTitle(found) : leaf.column;
  const offered = offeredOperators(field).filter((one) => withinPortal || one !== "within");
  const operator = offeredOperatorOf(leaf, field);
  const words = (each: (typeof offered)[number]) => ({ value: each, label: t(`filter.ops.${wordKeyOf(each, field)}`) });
  return (
    <Select
      size="xs"
      className={classes.operator ?? ""}
      aria-label={t("filter.operator", { field: title })}
      allowDeselect={false}
      maxDropdownHeight={withinPortal ? 360 : 200}
      comboboxProps={{ withinPortal }}
      data={(offered.includes(operator) ? offered : [...offered, operator]).map(words)}
      value={operator}
      onChange={(next) => {
        const chosen = offered.find((each) => each === next);
        if (chosen !== undefined) onChange(withOperator(leaf, chosen, field));
      }}
    />
  );
}

interface ValuesInputProps {
  readonly id: string;
  readonly leaf: Leaf;
  readonly found: FoundField | null;
  readonly onChange: (leaf: Leaf) => void;
}

export function ValuesInput({ id, leaf, found, onChange }: ValuesInputProps) {
  const { t } = useTranslation();
  const title = found ? fieldTitle(found) : leaf.column;
  const operator = offeredOperatorOf(leaf, found?.field);
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
