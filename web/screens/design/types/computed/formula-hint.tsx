// What a formula compares a choice with that is none of its options: told beside the formula, with the option that was meant.
import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "../../design.module.css";
import { type ChoiceField, strangeOption, withOption } from "./formula-hints.ts";

interface FormulaHintProps {
  /** What is looked at: the formula as it was a moment ago, if it is still being typed. */
  readonly source: string;
  /** The formula as it is now; else the same. */
  readonly value?: string;
  readonly fields: readonly ChoiceField[];
  readonly onChange: (formula: string) => void;
}

/** More than these are not told one by one. */
const MOST = 12;

export function FormulaHint({ source, value: present = source, fields, onChange }: FormulaHintProps) {
  const { t, i18n } = useTranslation();
  const strange = strangeOption(source, fields);
  const options = (strange?.field.options ?? []).map(({ value }) => `"${value}"`);
  const now = strangeOption(present, fields);
  const fixed = now && withOption(present, now);
  const list = new Intl.ListFormat(i18n.language, { type: "unit" });
  return (
    <Group gap="xs">
      {/* Always there: what comes into it is told. */}
      <div role="status" className={strange && classes.help}>
        {strange &&
          t("design.formula_no_option", {
            text: strange.text,
            field: strange.field.label || strange.field.name,
            options: list.format(options.length > MOST ? [...options.slice(0, MOST), "…"] : options),
          })}
      </div>
      {strange?.meant !== undefined && fixed !== undefined && (
        <Button size="compact-sm" variant="light" onClick={() => onChange(fixed)}>
          {t("design.formula_use_option", { value: strange.meant })}
        </Button>
      )}
    </Group>
  );
}
