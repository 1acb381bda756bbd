// Who may do what with records: by usual rules, or chosen for each right: people, roles, whoever a field names, and each of them under a
// condition on the record.
import { ActionIcon, Button, Group, MultiSelect, Select, Textarea } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { type RecordRight, recordRights } from "../../../../contract/permissions.ts";
import type { AccessPolicy, ConditionalGrant, Grantee } from "../../../../contract/record-type.ts";
import classes from "../design.module.css";
import { rolesQuery } from "../design-queries.ts";
import { FormulaHint } from "../types/computed/formula-hint.tsx";
import type { ChoiceField } from "../types/computed/formula-hints.ts";
import own from "./policy-editor.module.css";
import { alwaysOf, conditionalOf, grantOf, type NamingField } from "./policy-entries.ts";

const plain = ["owner", "owner_groups", "primary_group", "organization", "everyone"] as const;

/** Ways in which many start. */
const presets = {
  team: {
    read: ["organization"],
    edit: ["owner", "owner_groups", "role:administrator"],
    delete: ["owner", "role:administrator"],
    comment: ["organization"],
  },
  shared: {
    read: ["organization"],
    edit: ["organization"],
    delete: ["organization"],
    comment: ["organization"],
  },
  private: { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: ["owner"] },
  kept: {
    read: ["organization"],
    edit: ["role:administrator"],
    delete: ["role:administrator"],
    comment: [],
  },
} as const satisfies Record<string, AccessPolicy>;
const presetNames = Object.keys(presets) as readonly (keyof typeof presets)[];

/** Everybody that a policy can speak of, by what they are called; roles and fields that are not there any more by their names. */
export function useGrantees(access: AccessPolicy, fields: readonly NamingField[]) {
  const { t } = useTranslation();
  const roles = useQuery(rolesQuery);
  const named = new Set(recordRights.flatMap((right) => access[right].map((entry) => grantOf(entry).to)));
  const known = [
    ...(roles.data ?? []).map(({ code, name }) => ({ value: `role:${code}`, label: t("grantees.role", { name }) })),
    ...fields.map(({ name, label }) => ({ value: `field:${name}`, label })),
  ];
  const unknown = [...named]
    .filter((one) => one.includes(":") && !known.some(({ value }) => value === one))
    .map((value) => {
      const [kind = "", name = ""] = value.split(":");
      return { value, label: t(kind === "role" ? "grantees.role" : "grantees.field", { name }) };
    });
  const items = (kind: string) => [...known, ...unknown].filter(({ value }) => value.startsWith(kind));
  return [
    { group: t("design.people"), items: plain.map((value) => ({ value, label: t(`grantees.${value}`) })) },
    { group: t("design.people_by_field"), items: items("field:") },
    { group: t("design.roles"), items: items("role:") },
  ].filter((group) => group.items.length > 0);
}

interface PolicyEditorProps {
  readonly access: AccessPolicy;
  /** Fields of the records that name people. */
  readonly fields: readonly NamingField[];
  /** Fields that have options. */
  readonly choices: readonly ChoiceField[];
  readonly errorOf: (right: RecordRight) => string | undefined;
  readonly onChange: (access: AccessPolicy) => void;
}

export function PolicyEditor({ access, fields, choices, errorOf, onChange }: PolicyEditorProps) {
  const { t } = useTranslation();
  const data = useGrantees(access, fields);
  const chosen = presetNames.find((name) => JSON.stringify(presets[name]) === JSON.stringify(access));
  return (
    <div className={classes.form}>
      <Group gap={6} role="group" aria-label={t("design.presets")}>
        {presetNames.map((name) => (
          <Button
            key={name}
            size="compact-sm"
            variant={chosen === name ? "filled" : "default"}
            aria-pressed={chosen === name}
            onClick={() => onChange(presets[name])}
          >
            {t(`design.preset.${name}`)}
          </Button>
        ))}
      </Group>
      {recordRights.map((right) => {
        const always = alwaysOf(access[right]);
        const conditional = conditionalOf(access[right]);
        return (
          <div key={right}>
            <MultiSelect
              label={t(`design.may.${right}`)}
              placeholder={access[right].length === 0 ? t("rights.nobody") : ""}
              searchable
              selectFirstOptionOnChange
              data={data}
              value={always}
              data-path={`access.${right}`}
              error={errorOf(right)}
              // The list offers nothing else.
              onChange={(value) => onChange({ ...access, [right]: [...(value as Grantee[]), ...conditional] })}
            />
            <Conditions
              right={t(`design.may.${right}`)}
              data={data}
              choices={choices}
              grants={conditional}
              onChange={(next) => onChange({ ...access, [right]: [...always, ...next] })}
            />
          </div>
        );
      })}
    </div>
  );
}

interface ConditionsProps {
  readonly right: string;
  readonly data: ReturnType<typeof useGrantees>;
  readonly choices: readonly ChoiceField[];
  readonly grants: readonly ConditionalGrant[];
  readonly onChange: (grants: readonly ConditionalGrant[]) => void;
}

function Conditions({ right, data, choices, grants, onChange }: ConditionsProps) {
  const { t } = useTranslation();
  const list = useRef<HTMLDivElement>(null);
  const add = (): void => {
    // At once: whoever adds one goes on in it.
    flushSync(() => onChange([...grants, { to: "organization", when: "" }]));
    [...(list.current?.querySelectorAll("textarea:not([aria-hidden])") ?? [])]
      .filter((one): one is HTMLTextAreaElement => one instanceof HTMLTextAreaElement)
      .at(-1)
      ?.focus();
  };
  const replaced = (index: number, grant: Partial<ConditionalGrant>) =>
    grants.map((one, at) => (at === index ? { ...one, ...grant } : one));
  return (
    <div ref={list}>
      {grants.map((grant, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name of their own, and are not moved
        <div key={index} className={own.condition}>
          <Select
            aria-label={t("design.condition_who", { right, number: index + 1 })}
            allowDeselect={false}
            searchable
            selectFirstOptionOnChange
            data={data}
            value={grant.to}
            // The list offers nothing else.
            onChange={(value) => onChange(replaced(index, { to: (value ?? grant.to) as Grantee }))}
          />
          <Textarea
            className={own.text}
            aria-label={t("design.condition_when", { right, number: index + 1 })}
            placeholder={t("design.condition_example")}
            autosize
            minRows={1}
            spellCheck={false}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            value={grant.when}
            onChange={(event) => onChange(replaced(index, { when: event.currentTarget.value }))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={t("design.condition_remove", { right, number: index + 1 })}
            onClick={() => onChange(grants.filter((_, at) => at !== index))}
          >
            <IconX size={16} stroke={1.6} />
          </ActionIcon>
          <div className={own.hint}>
            <FormulaHint
              source={grant.when}
              fields={choices}
              onChange={(when) => onChange(replaced(index, { when }))}
            />
          </div>
        </div>
      ))}
      <Button
        mt={4}
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        aria-label={t("design.condition_add_to", { right })}
        onClick={add}
      >
        {t("design.condition_add")}
      </Button>
    </div>
  );
}
