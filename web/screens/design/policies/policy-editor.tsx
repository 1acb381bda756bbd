// Who may do what with records: by usual rules, or chosen by name for each right.
import { Button, Group, MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type RecordRight, recordRights } from "../../../../contract/permissions.ts";
import type { AccessPolicy, Grantee } from "../../../../contract/record-type.ts";
import classes from "../design.module.css";
import { rolesQuery } from "../design-queries.ts";

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

/** Everybody that a policy can speak of, by what they are called; roles that are not there any more by their code. */
export function useGrantees(access: AccessPolicy) {
  const { t } = useTranslation();
  const roles = useQuery(rolesQuery);
  const named = new Set(recordRights.flatMap((right) => access[right]));
  const known = (roles.data ?? []).map(({ code, name }) => ({
    value: `role:${code}`,
    label: t("grantees.role", { name }),
  }));
  const unknown = [...named]
    .filter((one) => one.startsWith("role:") && !known.some(({ value }) => value === one))
    .map((value) => ({ value, label: t("grantees.role", { name: value.slice(5) }) }));
  return [
    { group: t("design.people"), items: plain.map((value) => ({ value, label: t(`grantees.${value}`) })) },
    { group: t("design.roles"), items: [...known, ...unknown] },
  ];
}

interface PolicyEditorProps {
  readonly access: AccessPolicy;
  readonly errorOf: (right: RecordRight) => string | undefined;
  readonly onChange: (access: AccessPolicy) => void;
}

export function PolicyEditor({ access, errorOf, onChange }: PolicyEditorProps) {
  const { t } = useTranslation();
  const data = useGrantees(access);
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
      {recordRights.map((right) => (
        <MultiSelect
          key={right}
          label={t(`design.may.${right}`)}
          placeholder={access[right].length === 0 ? t("rights.nobody") : ""}
          searchable
          data={data}
          value={[...access[right]]}
          error={errorOf(right)}
          // The list offers nothing else.
          onChange={(value) => onChange({ ...access, [right]: value as Grantee[] })}
        />
      ))}
    </div>
  );
}
