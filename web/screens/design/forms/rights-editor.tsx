// What can be said of the rights of any part of a form: shown when, changed by whom, and otherwise for some roles.
import { ActionIcon, Group } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import type { FormRights } from "../../../../contract/form-definition.ts";
import { type Permission, permission } from "../../../../contract/permissions.ts";
import { LateSelect } from "../../../parts/controls/late-select.tsx";
import { ConditionInput } from "../conditions/condition-input.tsx";
import classes from "../design.module.css";
import { rolesQuery } from "../design-queries.ts";

interface RightsEditorProps {
  readonly rights: FormRights;
  readonly fields: readonly SchemaField[];
  readonly onChange: (rights: FormRights) => void;
}

const levels = {
  inherit: permission.INHERIT,
  editable: permission.EDIT,
  read_only: permission.VIEW,
  hidden: permission.DELETE,
} as const;
const levelNames = ["inherit", "editable", "read_only", "hidden"] as const;
const levelOf = (value: Permission | undefined) =>
  levelNames.find((name) => levels[name] === (value ?? 0)) ?? "inherit";

export function RightsEditor({ rights, fields, onChange }: RightsEditorProps) {
  const { t } = useTranslation();
  const roles = useQuery(rolesQuery);
  const given = Object.entries(rights.roles ?? {});
  const nameOf = (code: string): string => roles.data?.find((role) => role.code === code)?.name ?? code;
  const offered = (roles.data ?? []).filter(
    ({ code, isAdministrator }) => !isAdministrator && !(code in (rights.roles ?? {})),
  );
  const putRoles = (next: Readonly<Record<string, Permission>>): void =>
    onChange({ roles: Object.keys(next).length === 0 ? undefined : next });
  const data = levelNames.map((name) => ({ value: name, label: t(`forms.levels.${name}`) }));
  const chosen = (value: string | null): Permission => levels[levelNames.find((name) => name === value) ?? "inherit"];
  return (
    <>
      <ConditionInput
        label={t("forms.shown_if")}
        value={rights.if_condition}
        fields={fields}
        onChange={(text) =>
          onChange(
            text === undefined ? { if_condition: undefined, else_permission: undefined } : { if_condition: text },
          )
        }
      />
      {rights.if_condition !== undefined && (
        <LateSelect
          label={t("forms.otherwise")}
          allowDeselect={false}
          data={[
            { value: "1", label: t("forms.levels.hidden") },
            { value: "4", label: t("forms.levels.read_only") },
          ]}
          value={String(rights.else_permission ?? 1)}
          onChange={(value) => onChange({ else_permission: value === "4" ? 4 : undefined })}
        />
      )}
      <LateSelect
        label={t("forms.level")}
        allowDeselect={false}
        data={data}
        value={levelOf(rights.permission)}
        onChange={(value) => onChange({ permission: chosen(value) === permission.INHERIT ? undefined : chosen(value) })}
      />
      <div>
        <span className={classes.caption}>{t("forms.by_role")}</span>
        {given.map(([code, level]) => (
          <Group key={code} gap={6} mb={4} wrap="nowrap">
            <span className={classes.role}>{nameOf(code)}</span>
            <LateSelect
              size="xs"
              aria-label={t("forms.level_of", { name: nameOf(code) })}
              allowDeselect={false}
              data={data}
              value={levelOf(level)}
              onChange={(value) => putRoles({ ...rights.roles, [code]: chosen(value) })}
            />
            <ActionIcon
              size="sm"
              variant="subtle"
              color="gray"
              aria-label={t("forms.role_remove", { name: nameOf(code) })}
              onClick={() => putRoles(Object.fromEntries(given.filter(([one]) => one !== code)))}
            >
              <IconX size={14} />
            </ActionIcon>
          </Group>
        ))}
        <LateSelect
          size="xs"
          searchable
          selectFirstOptionOnChange
          value={null}
          aria-label={t("forms.role_add")}
          placeholder={t("forms.role_add")}
          data={offered.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={(code) => code !== null && putRoles({ ...rights.roles, [code]: permission.VIEW })}
        />
      </div>
    </>
  );
}
