// The rules by which a view colors its rows and cells: one field, one comparison, a color. Rules are about columns that the
// list shows, so that a reader sees why a row has its color.
import { Button, CloseButton, Select } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { ColorRule, Condition } from "../../../../client/lists/list-draft.ts";
import type { ListPage } from "../../../../client/lists/lists.ts";
import { colorTargets, MOST_COLOR_RULES, ruleColors } from "../../../../contract/view-look.ts";
import { columnsOf } from "../columns/columns.ts";
import { groupOf, isComplete, type Leaf, writeWhere } from "../filter/condition.ts";
import { OperatorInput, ValuesInput } from "../filter/condition-inputs.tsx";
import { newLeaf, offeredOperators, withOperator } from "../filter/operator-words.ts";
import classes from "./color-rules.module.css";
import { leafOf } from "./row-look.ts";
import { toneOf } from "./tint.ts";

interface ColorRulesProps {
  readonly schema: RecordTypeSchema;
  readonly head: ListPage;
  readonly rules: readonly ColorRule[];
  readonly onChange: (rules: readonly ColorRule[]) => void;
}

const BREATH_MS = 300;

/** What is not complete yet is only here. */
interface Drafted extends Omit<ColorRule, "where"> {
  readonly leaf: Leaf;
}

const write = (rules: readonly Drafted[]): readonly ColorRule[] =>
  rules.flatMap(({ leaf, color, paint }) => {
    const [where] = writeWhere(groupOf([leaf])) ?? [];
    return where === undefined ? [] : [{ where: where as Condition, color, paint }];
  });

export function ColorRules({ schema, head, rules, onChange }: ColorRulesProps) {
  const { t } = useTranslation();
  const id = useId();
  const [drafted, setDrafted] = useState<readonly Drafted[]>(() =>
    rules.flatMap(({ where, color, paint }) => {
      const leaf = leafOf({ where });
      return leaf ? [{ leaf, color, paint }] : [];
    }),
  );
  const offered = columnsOf(head, schema).flatMap(({ own }) => (own && own.operators.length > 0 ? [own] : []));
  // What is typed takes effect after a breath.
  const send = useDebouncedCallback(onChange, { delay: BREATH_MS, flushOnUnmount: true });
  const put = (next: readonly Drafted[], isTyped = false): void => {
    setDrafted(next);
    send(write(next));
    if (!isTyped) send.flush();
  };
  const change = (index: number, changes: Partial<Drafted>, isTyped = false): void =>
    put(
      drafted.map((rule, at) => (at === index ? { ...rule, ...changes } : rule)),
      isTyped,
    );
  const begin = (column: string): Leaf | undefined => {
    const field = offered.find(({ column_name: name }) => name === column);
    if (field === undefined) return undefined;
    const leaf = newLeaf(column, field);
    // Named spans of days are for filters: a color compares with one day.
    const [plain] = offeredOperators(field).filter((one) => one !== "within");
    return leaf.operator === "between" && plain ? withOperator(leaf, plain, field) : leaf;
  };
  const first = offered[0];
  return (
    <div className={classes.rules}>
      {drafted.map(({ leaf, color, paint }, index) => {
        const field = offered.find(({ column_name: name }) => name === leaf.column);
        const found = field ? { column: leaf.column, labels: [field.label], field, isMany: false } : null;
        const label = field?.label ?? leaf.column;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other name than their place
          <fieldset key={index} className={classes.rule}>
            <legend className="visually-hidden">{t("display.rule", { number: index + 1 })}</legend>
            <div className={classes.line}>
              <Select
                size="xs"
                aria-label={t("filter.field")}
                allowDeselect={false}
                comboboxProps={{ withinPortal: false }}
                data={offered.map(({ column_name: value, label: text }) => ({ value, label: text }))}
                value={leaf.column}
                onChange={(next) => {
                  const begun = next === null ? undefined : begin(next);
                  if (begun) change(index, { leaf: begun });
                }}
              />
              <OperatorInput
                leaf={leaf}
                found={found}
                withinPortal={false}
                onChange={(next) => change(index, { leaf: next })}
              />
              <CloseButton
                size="sm"
                aria-label={t("display.remove", { field: label })}
                onClick={() => put(drafted.filter((_, at) => at !== index))}
              />
            </div>
            <ValuesInput
              id={`${id}-${index}`}
              leaf={leaf}
              found={found}
              onChange={(next) => change(index, { leaf: next }, true)}
            />
            <div className={classes.line}>
              <div className={classes.swatches} role="radiogroup" aria-label={t("display.color")}>
                {ruleColors.map((one) => (
                  // biome-ignore lint/a11y/useSemanticElements: a color, not a dot
                  <button
                    key={one}
                    type="button"
                    role="radio"
                    aria-checked={one === color}
                    aria-label={t(`display.names.${one}`)}
                    className={classes.swatch}
                    style={{ background: toneOf(one) }}
                    onClick={() => change(index, { color: one })}
                  />
                ))}
              </div>
              <Select
                size="xs"
                className={classes.paint ?? ""}
                aria-label={t("display.paint")}
                allowDeselect={false}
                comboboxProps={{ withinPortal: false }}
                data={colorTargets.map((value) => ({ value, label: t(`display.paints.${value}`) }))}
                value={paint}
                onChange={(next) => change(index, { paint: colorTargets.find((one) => one === next) ?? "row" })}
              />
            </div>
            {!isComplete(leaf) && <p className={classes.hint}>{t("display.incomplete")}</p>}
          </fieldset>
        );
      })}
      {drafted.length < MOST_COLOR_RULES && first && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconPlus size={14} stroke={1.8} aria-hidden="true" />}
          onClick={() => {
            const leaf = begin((offered.find(({ options }) => options) ?? first).column_name);
            if (leaf) put([...drafted, { leaf, color: "red", paint: "row" }]);
          }}
        >
          {t("display.add")}
        </Button>
      )}
    </div>
  );
}
