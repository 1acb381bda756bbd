// A value that a workflow works out: read as it is typed, with what is wrong said at once. Options of a choice are picked.
import { Autocomplete, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import { parseExpression, parseTemplate } from "../../../../contract/expressions.ts";
import { writeFormula } from "../../../texts/write-formula.ts";

interface ExpressionInputProps {
  readonly label: string;
  readonly value: string;
  /** Of the field that is set, if it has any. */
  readonly options?: SchemaField["options"];
  readonly onChange: (text: string) => void;
}

export function ExpressionInput({ label, value, options, onChange }: ExpressionInputProps) {
  const { t, i18n } = useTranslation();
  const parsed = value === "" ? undefined : parseExpression(value);
  // Words that were typed as they are meant.
  const quoted = `"${value.trim()}"`;
  const isPlain = parsed?.ok === false && !/["(){}]/u.test(value) && parseExpression(quoted).ok;
  const shown = {
    size: "xs",
    "aria-label": label,
    placeholder: '"text", 5, now(), today(7), me()',
    styles: { input: { fontFamily: "var(--mantine-font-family-monospace)" } },
    value,
    error: isPlain
      ? t("workflows.quote_text", { text: quoted })
      : parsed && !parsed.ok
        ? writeFormula(parsed.error, i18n.language)
        : undefined,
  } as const;
  if (!options) return <TextInput {...shown} onChange={(event) => onChange(event.currentTarget.value)} />;
  const labels = new Map(options.map((option) => [JSON.stringify(option.value), option.label]));
  return (
    <Autocomplete
      {...shown}
      data={[...labels.keys()]}
      // One that is chosen can be changed for another.
      filter={({ options: all, search }) =>
        labels.has(search)
          ? all
          : all.filter((one) => "value" in one && includesText(labels.get(one.value) ?? "", search))
      }
      renderOption={({ option }) => labels.get(option.value) ?? option.value}
      comboboxProps={{ width: "max-content", position: "bottom-end" }}
      onChange={onChange}
    />
  );
}

const includesText = (label: string, typed: string): boolean =>
  label.toLowerCase().includes(typed.replaceAll('"', "").trim().toLowerCase());

/** What is wrong with a text that holds expressions in {{ }}. */
export function templateFault(text: string, language: string): string | undefined {
  const parsed = parseTemplate(text);
  return parsed.ok ? undefined : writeFormula(parsed.error, language);
}
