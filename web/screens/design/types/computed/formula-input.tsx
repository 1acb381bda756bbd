// A formula to type: the text, what is wrong with it while one types, and the fields to put in where the caret is.
import { Button, Group, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { parseFormula } from "../../../../../contract/formula/parse-formula.ts";
import { writeFormula } from "../../../../texts/write-formula.ts";
import { FormulaHint } from "./formula-hint.tsx";
import type { ChoiceField } from "./formula-hints.ts";
import { withName } from "./formula-text.ts";

interface FormulaInputProps {
  readonly label: string;
  readonly help: string;
  readonly fields: readonly { readonly id: string; readonly name: string; readonly label?: string | undefined }[];
  /** Those among them that have options; what they are compared with is looked at. */
  readonly choices?: readonly ChoiceField[];
  readonly isOptional?: boolean;
  /** What the input is marked with (`data-path`). */
  readonly paths?: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (formula: string) => void;
}

export function FormulaInput(props: FormulaInputProps) {
  const { label, help, fields, choices = [], isOptional = false, paths, value, error, onChange } = props;
  const { t, i18n } = useTranslation();
  const [source] = useDebouncedValue(value, 400);
  const parsed = source.trim() === "" ? undefined : parseFormula(source);
  const fault = parsed && !parsed.ok ? writeFormula(parsed.error, i18n.language) : undefined;
  const area = useRef<HTMLTextAreaElement>(null);
  /** Where the caret was last; at the end before anybody was there. */
  const marked = useRef<readonly [number, number]>(undefined);
  const insert = (name: string): void => {
    const next = withName(value, marked.current ?? [value.length, value.length], name);
    // At once: the caret goes behind the name.
    flushSync(() => onChange(next.text));
    area.current?.focus();
    area.current?.setSelectionRange(next.caret, next.caret);
  };
  return (
    <>
      <Textarea
        label={label}
        description={help}
        withAsterisk={!isOptional}
        autosize
        minRows={isOptional ? 1 : 2}
        maxRows={8}
        maxLength={2_000}
        spellCheck={false}
        dir="ltr"
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        ref={area}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => {
          marked.current = [selectionStart, selectionEnd];
        }}
        data-path={paths}
        value={value}
        error={fault ?? error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <FormulaHint
        source={source}
        value={value}
        fields={choices}
        onChange={(next) => {
          // At once: the button goes, and whoever pressed it goes on in the formula.
          flushSync(() => onChange(next));
          area.current?.focus();
        }}
      />
      <Group gap={4} mah={132} style={{ overflowY: "auto" }} role="group" aria-label={t("design.formula_fields")}>
        {fields
          .filter(({ name }) => name !== "")
          .map(({ id, name, label: called }) => (
            <Button key={id} size="compact-xs" variant="default" title={name} onClick={() => insert(name)}>
              {called || name}
            </Button>
          ))}
      </Group>
    </>
  );
}
