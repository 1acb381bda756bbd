// Who acts: the owner, the owner's manager, roles, people and groups found by name, fields that name a user; of a mail also
// fields that hold an address.
import { MultiSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { findRecordsQuery, recordNamesQuery } from "../../../queries.ts";
import { rolesQuery } from "../design-queries.ts";

interface ActorsInputProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly value: readonly string[];
  readonly fields: readonly SchemaField[];
  /** Fields that hold an address are offered, too. */
  readonly withAddresses?: boolean;
  readonly placeholder?: string | undefined;
  readonly onChange: (actors: readonly string[]) => void;
}

const USERS = "access_controls/users";
const GROUPS = "access_controls/groups";
const BREATH_MS = 180;

const idsOf = (value: readonly string[], kind: string): readonly string[] =>
  value.filter((one) => one.startsWith(`${kind}:`)).map((one) => one.slice(kind.length + 1));

export function ActorsInput(props: ActorsInputProps) {
  const { label, help, value, fields, withAddresses = false, placeholder, onChange } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), BREATH_MS);
  const roles = useQuery(rolesQuery);
  const [userIds, groupIds] = [idsOf(value, "user"), idsOf(value, "group")];
  const users = useQuery(findRecordsQuery(USERS, search));
  const groups = useQuery(findRecordsQuery(GROUPS, search));
  const chosenUsers = useQuery({ ...recordNamesQuery(USERS, userIds), enabled: userIds.length > 0 });
  const chosenGroups = useQuery({ ...recordNamesQuery(GROUPS, groupIds), enabled: groupIds.length > 0 });
  const named = (
    kind: string,
    ...lists: readonly (readonly { readonly id: string; readonly name: string }[] | undefined)[]
  ) =>
    [...new Map(lists.flatMap((list) => (list ?? []).map(({ id, name }) => [id, name] as const)))].map(
      ([id, name]) => ({
        value: `${kind}:${id}`,
        label: name,
      }),
    );
  const data = [
    {
      group: t("workflows.of_record"),
      items: [
        ...(["owner", "owner_manager"] as const).map((one) => ({ value: one, label: t(`workflows.actors.${one}`) })),
        ...fields
          .filter(({ to }) => to === USERS)
          .map((field) => ({
            value: `field:${field.name}`,
            label: t("workflows.actors.field", { name: field.label }),
          })),
        ...(withAddresses
          ? fields
              .filter(({ type }) => fieldTypes[type].isMailAddress)
              .map((field) => ({
                value: `email:${field.name}`,
                label: t("workflows.actors.email", { name: field.label }),
              }))
          : []),
      ],
    },
    {
      group: t("design.roles"),
      items: (roles.data ?? []).map(({ code, name }) => ({
        value: `role:${code}`,
        label: t("grantees.role", { name }),
      })),
    },
    { group: t("workflows.groups"), items: named("group", chosenGroups.data, groups.data) },
    { group: t("workflows.people"), items: named("user", chosenUsers.data, users.data) },
  ];
  const known = new Set(data.flatMap(({ items }) => items.map((item) => item.value)));
  const unknown = value.filter((one) => !known.has(one)).map((one) => ({ value: one, label: one }));
  return (
    <MultiSelect
      label={label}
      description={help}
      placeholder={value.length === 0 ? (placeholder ?? "") : ""}
      searchable
      selectFirstOptionOnChange
      searchValue={typed}
      onSearchChange={setTyped}
      data={unknown.length === 0 ? data : [...data, { group: "", items: unknown }]}
      value={[...value]}
      onChange={onChange}
    />
  );
}
