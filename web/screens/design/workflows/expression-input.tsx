// A value that a workflow works out: read as it is typed, with what is wrong said at once.
import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { parseExpression, parseTemplate } from "../../../../contract/expressions.ts";
import { writeFormula } from "../../../texts/write-formula.ts";

interface ExpressionInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

export function ExpressionInput({ label, value, onChange }: ExpressionInputProps) {
  const { t, i18n } = useTranslation();
  const parsed = value === "" ? undefined : parseExpression(value);
  // Words that were typed as they are meant.
  const quoted = `"${value.trim()}"`;
  const isPlain = parsed?.ok === false && !/["(){}]/u.test(value) && parseExpression(quoted).ok;
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={'"text", 5, now(), today(7), me()'}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      value={value}
      error={
        isPlain
          ? t("workflows.quote_text", { text: quoted })
          : parsed && !parsed.ok
            ? writeFormula(parsed.error, i18n.language)
            : undefined
      }
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** What is wrong with a text that holds expressions in {{ }}. */
export function templateFault(text: string, language: string): string | undefined {
  const parsed = parseTemplate(text);
  return parsed.ok ? undefined : writeFormula(parsed.error, language);
}
