// What a role sees and writes of single fields: one line each, and a line to choose another field of any record type.
import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListedType } from "../../../../client/design/design.ts";
import { type FieldPermission, type FieldRule, fieldPermissions } from "../../../../client/people/roles.ts";
import { LateSelect } from "../../../parts/controls/late-select.tsx";
import { FactsTable, RowAction } from "../../../parts/layout/facts-table.tsx";
import { schemaQuery } from "../../../queries.ts";
import classes from "../administration-screen.module.css";

interface FieldRulesProps {
  readonly types: readonly ListedType[];
  readonly rules: readonly FieldRule[];
  readonly onChange: (rules: readonly FieldRule[]) => void;
}

export function FieldRules({ types, rules, onChange }: FieldRulesProps) {
  const { t } = useTranslation();
  const typeName = (key: string) => types.find((type) => type.key === key)?.plural ?? key;
  return (
    <section aria-label={t("admin.field_rules")} className={classes.rules}>
      <h3>{t("admin.field_rules")}</h3>
      <p>{t("admin.field_rules_lead")}</p>
      {rules.length > 0 && (
        <FactsTable
          label={t("admin.field_rules")}
          columns={[t("admin.record_type"), t("admin.field"), t("admin.field_permission"), t("admin.actions")]}
        >
          {rules.map((rule) => (
            <RuleRow
              key={`${rule.recordType} ${rule.field}`}
              rule={rule}
              typeName={typeName(rule.recordType)}
              change={(permission) => onChange(rules.map((one) => (one === rule ? { ...one, permission } : one)))}
              remove={() => onChange(rules.filter((one) => one !== rule))}
            />
          ))}
        </FactsTable>
      )}
      <AddRule types={types} rules={rules} add={(rule) => onChange([...rules, rule])} />
    </section>
  );
}

interface RuleRowProps {
  readonly rule: FieldRule;
  readonly typeName: string;
  readonly change: (permission: FieldPermission) => void;
  readonly remove: () => void;
}

function RuleRow({ rule, typeName, change, remove }: RuleRowProps) {
  const { t } = useTranslation();
  const schema = useQuery(schemaQuery(rule.recordType));
  const label = schema.data?.fields.find(({ name }) => name === rule.field)?.label ?? rule.field;
  const name = `${typeName}: ${label}`;
  return (
    <tr>
      <th scope="row">{typeName}</th>
      <td data-label={t("admin.field")}>{label}</td>
      <td data-label={t("admin.field_permission")}>
        <PermissionSelect label={t("admin.field_permission_of", { name })} value={rule.permission} onChange={change} />
      </td>
      <td>
        <RowAction label={t("admin.field_rule_remove", { name })} onClick={remove}>
          {t("admin.remove")}
        </RowAction>
      </td>
    </tr>
  );
}

interface PermissionSelectProps {
  readonly label: string;
  readonly value: FieldPermission;
  readonly onChange: (permission: FieldPermission) => void;
}

function PermissionSelect({ label, value, onChange }: PermissionSelectProps) {
  const { t } = useTranslation();
  return (
    <LateSelect
      aria-label={label}
      allowDeselect={false}
      w={160}
      data={fieldPermissions.map((one) => ({ value: one, label: t(`admin.permission_${one}`) }))}
      value={value}
      // The list offers nothing else.
      onChange={(next) => onChange((next ?? value) as FieldPermission)}
    />
  );
}

interface AddRuleProps {
  readonly types: readonly ListedType[];
  readonly rules: readonly FieldRule[];
  readonly add: (rule: FieldRule) => void;
}

function AddRule({ types, rules, add }: AddRuleProps) {
  const { t } = useTranslation();
  const [type, setType] = useState<string | null>(null);
  const [field, setField] = useState<string | null>(null);
  const schema = useQuery({ ...schemaQuery(type ?? ""), enabled: type !== null });
  const taken = new Set(rules.filter((rule) => rule.recordType === type).map((rule) => rule.field));
  const fields = (schema.data?.fields ?? []).filter(({ name, system }) => !system && !taken.has(name));
  return (
    <Group gap="xs" align="flex-end" mt="sm">
      <LateSelect
        label={t("admin.record_type")}
        searchable
        selectFirstOptionOnChange
        nothingFoundMessage={t("signup.nothing")}
        data={types.map(({ key, plural, module_label }) => ({ value: key, label: `${plural} (${module_label})` }))}
        value={type}
        onChange={(value) => {
          setType(value);
          setField(null);
        }}
      />
      <LateSelect
        label={t("admin.field")}
        searchable
        selectFirstOptionOnChange
        disabled={type === null}
        nothingFoundMessage={t("signup.nothing")}
        data={fields.map(({ name, label }) => ({ value: name, label }))}
        value={field}
        onChange={setField}
      />
      <Button
        variant="default"
        disabled={type === null || field === null}
        onClick={() => {
          if (type === null || field === null) return;
          add({ id: undefined, recordType: type, field, permission: "1" });
          setField(null);
        }}
      >
        {t("admin.field_rule_add")}
      </Button>
    </Group>
  );
}
