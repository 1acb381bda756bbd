// Rules of a record type: what must be true of every record that is saved, each with its own sentence in the languages of the service.
import { ActionIcon, Button, Collapse, Group, Select, Stack, Textarea } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp, IconPlus, IconShieldCheck, IconTrash } from "@tabler/icons-react";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { RuleDefinition } from "../../../../contract/record-type.ts";
import { type Language, languages } from "../../../../contract/texts/languages.ts";
import { freeName } from "../../../fields/design/option-rows.ts";
import { useFormats } from "../../../fields/formats.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { EmptyState } from "../../../parts/layout/empty-state.tsx";
import { Section } from "../../../parts/layout/section.tsx";
import classes from "../design.module.css";
import { choiceFields, neededFields, withEmptyAllowed } from "./computed/formula-hints.ts";
import { FormulaInput } from "./computed/formula-input.tsx";
import type { PartProps } from "./type-parts.ts";
import { UniquePart } from "./unique-part.tsx";

export function RulesPart(props: PartProps) {
  return (
    <>
      <Rules {...props} />
      <UniquePart {...props} />
    </>
  );
}

function Rules({ draft, change, errors }: PartProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const rules = draft.rules ?? [];
  const put = (next: readonly RuleDefinition[]): void => change({ ...draft, rules: next });
  const add = (): void => {
    const name = freeName(
      "rule",
      rules.map((one) => one.name),
    );
    // At once: whoever adds one goes on in it.
    flushSync(() => put([...rules, { name, formula: "", message: "" }]));
    list.current?.querySelector<HTMLElement>("li:last-child textarea")?.focus();
  };
  return (
    <Section title={t("design.rules")} lead={t("design.rules_lead")}>
      {rules.length === 0 && (
        <EmptyState small icon={IconShieldCheck} title={t("design.rules_none")} text={t("design.rules_none_lead")} />
      )}
      <ul className={classes.list} ref={list}>
        {rules.map((rule, index) => (
          <RuleCard
            key={rule.name}
            {...{ rule, draft }}
            place={index + 1}
            // Faults of shape come by number, those of meaning by name.
            pathsOf={(part) => `rules.${rule.name}.${part} rules.${index}.${part}`}
            error={(part) => errors.get(`rules.${rule.name}.${part}`) ?? errors.get(`rules.${index}.${part}`)}
            onChange={(next) => put(rules.flatMap((one) => (one.name === rule.name ? (next ? [next] : []) : [one])))}
          />
        ))}
      </ul>
      <Button
        mt="sm"
        size="xs"
        variant="default"
        leftSection={<IconPlus size={15} stroke={1.6} aria-hidden="true" />}
        onClick={add}
      >
        {t("design.rule_add")}
      </Button>
    </Section>
  );
}

interface NeededFieldsProps extends Pick<PartProps, "draft"> {
  readonly rule: RuleDefinition;
  readonly onChange: (rule: RuleDefinition) => void;
}

/** Fields that the rule makes required, which few of its authors mean. */
function NeededFields({ draft, rule, onChange }: NeededFieldsProps) {
  const { t, i18n } = useTranslation();
  const [formula] = useDebouncedValue(rule.formula, 400);
  const place = useRef<HTMLDivElement>(null);
  const fields = draft.fields.filter(({ type, computed }) => !fieldTypes[type].isYesNo && !computed);
  const needed = neededFields(formula, fields);
  const names = new Intl.ListFormat(i18n.language, { type: "disjunction" }).format(
    needed.map(({ name, label }) => t("design.quoted", { text: label || name })),
  );
  return (
    <Group gap="xs" ref={place}>
      {/* Always there: what comes into it is told. */}
      <div role="status" className={needed.length > 0 ? classes.help : undefined}>
        {needed.length > 0 && t("design.rule_needs", { fields: names })}
      </div>
      {needed.length > 0 && (
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            // The hint is a moment late: what is there now counts.
            const missing = neededFields(rule.formula, fields).map(({ name }) => name);
            const allowed = missing.length > 0 ? withEmptyAllowed(rule.formula, missing) : rule.formula;
            onChange({ ...rule, formula: allowed });
            // The button goes: whoever pressed it goes on in the formula.
            place.current?.closest("li")?.querySelector("textarea")?.focus();
          }}
        >
          {t("design.rule_allow_empty")}
        </Button>
      )}
    </Group>
  );
}

interface RuleCardProps extends Pick<PartProps, "draft"> {
  readonly rule: RuleDefinition;
  readonly place: number;
  readonly pathsOf: (part: string) => string;
  readonly error: (part: string) => string | undefined;
  readonly onChange: (rule: RuleDefinition | undefined) => void;
}

function RuleCard({ rule, place, draft, pathsOf, error, onChange }: RuleCardProps) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const mine = languages.find((one) => i18n.language.startsWith(one)) ?? "en";
  const others = languages.filter((one) => one !== mine);
  const nameOf = (language: Language): string =>
    new Intl.DisplayNames([i18n.language], { type: "language" }).of(language) ?? language;
  const written = others.filter((language) => rule.messages?.[language]).length;
  const isRefused = others.some((language) => error(`messages.${language}`) !== undefined);
  const [isUnfolded, { toggle }] = useDisclosure(false);
  // What was refused is in sight.
  const isOpen = isUnfolded || isRefused;
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  const translate = (language: Language, text: string): void => {
    const { messages, ...rest } = rule;
    const { [language]: _, ...left } = messages ?? {};
    const next = text === "" ? left : { ...left, [language]: text };
    onChange(Object.keys(next).length === 0 ? rest : { ...rest, messages: next });
  };
  return (
    <li className={classes.card}>
      <div className={classes.cardHead}>
        <b>{t("design.rule", { place })}</b>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("design.rule_remove", { place })}
          onClick={() => onChange(undefined)}
        >
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      </div>
      <FormulaInput
        label={t("design.rule_formula")}
        help={t("design.rule_formula_help")}
        // What depends on other records is not known yet when a rule is checked.
        fields={draft.fields.filter(({ computed }) => computed === undefined || computed.kind === "formula")}
        choices={choiceFields(draft.fields)}
        paths={pathsOf("formula")}
        value={rule.formula}
        error={error("formula")}
        onChange={(formula) => onChange({ ...rule, formula })}
      />
      <NeededFields draft={draft} rule={rule} onChange={onChange} />
      <Textarea
        label={t("design.rule_message")}
        dir="auto"
        description={t("design.rule_message_help")}
        withAsterisk
        autosize
        minRows={1}
        maxRows={3}
        maxLength={300}
        value={rule.message}
        data-path={pathsOf("message")}
        error={error("message")}
        onChange={(event) => onChange({ ...rule, message: event.currentTarget.value })}
      />
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          ms={-8}
          aria-expanded={isOpen}
          rightSection={<Chevron size={14} stroke={1.6} aria-hidden="true" />}
          onClick={toggle}
        >
          {t("design.rule_translations")}
          {written > 0 && ` (${formats.count(written)})`}
        </Button>
      </div>
      <Collapse expanded={isOpen}>
        <Stack gap="xs">
          {others.map((language) => (
            <Textarea
              key={language}
              label={t("design.rule_message_in", { language: nameOf(language) })}
              dir="auto"
              autosize
              minRows={1}
              maxRows={3}
              maxLength={300}
              value={rule.messages?.[language] ?? ""}
              data-path={pathsOf(`messages.${language}`)}
              error={error(`messages.${language}`)}
              onChange={(event) => translate(language, event.currentTarget.value)}
            />
          ))}
        </Stack>
      </Collapse>
      <Select
        label={t("design.rule_field")}
        clearable
        searchable
        selectFirstOptionOnChange
        clearButtonProps={{ "aria-label": t("design.rule_field") }}
        placeholder={t("design.rule_field_usual")}
        data={draft.fields
          .filter(({ name }) => name !== "")
          .map(({ name, label }) => ({ value: name, label: label || name }))}
        value={rule.field ?? null}
        data-path={pathsOf("field")}
        error={error("field")}
        onChange={(value) => {
          const { field: _, ...rest } = rule;
          onChange(value === null ? rest : { ...rest, field: value });
        }}
      />
    </li>
  );
}
