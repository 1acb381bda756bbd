// Who may do what with the records of a type: chosen by name, told in sentences.
import { Button, Group, MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { recordRights } from "../../../../contract/permissions.ts";
import type { AccessPolicy, Grantee } from "../../../../contract/record-type.ts";
import { Section } from "../../../parts/section.tsx";
import classes from "../design.module.css";
import { rolesQuery } from "../design-queries.ts";
import type { PartProps } from "./type-parts.ts";

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

export function AccessPart({ draft, change, errors }: PartProps) {
  const { t } = useTranslation();
  const roles = useQuery(rolesQuery);
  const named = new Set(recordRights.flatMap((right) => draft.access[right]));
  const known = (roles.data ?? []).map(({ code, name }) => ({
    value: `role:${code}`,
    label: t("grantees.role", { name }),
  }));
  const unknown = [...named]
    .filter((one) => one.startsWith("role:") && !known.some(({ value }) => value === one))
    .map((value) => ({ value, label: t("grantees.role", { name: value.slice(5) }) }));
  const data = [
    { group: t("design.people"), items: plain.map((value) => ({ value, label: t(`grantees.${value}`) })) },
    { group: t("design.roles"), items: [...known, ...unknown] },
  ];
  const chosen = presetNames.find((name) => JSON.stringify(presets[name]) === JSON.stringify(draft.access));
  return (
    <Section title={t("design.parts.access")} lead={t("design.access_lead")}>
      <div className={classes.form}>
        <Group gap={6} role="group" aria-label={t("design.presets")}>
          {presetNames.map((name) => (
            <Button
              key={name}
              size="compact-sm"
              variant={chosen === name ? "filled" : "default"}
              aria-pressed={chosen === name}
              onClick={() => change({ ...draft, access: presets[name] })}
            >
              {t(`design.preset.${name}`)}
            </Button>
          ))}
        </Group>
        {recordRights.map((right) => (
          <MultiSelect
            key={right}
            label={t(`design.may.${right}`)}
            placeholder={draft.access[right].length === 0 ? t("rights.nobody") : ""}
            searchable
            data={data}
            value={[...draft.access[right]]}
            error={errors.get(`access.${right}`)}
            // The list offers nothing else.
            onChange={(value) => change({ ...draft, access: { ...draft.access, [right]: value as Grantee[] } })}
          />
        ))}
        <p className={classes.help}>{t("design.access_note")}</p>
      </div>
    </Section>
  );
}
