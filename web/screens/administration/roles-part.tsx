// Roles with their operation matrix: record types down, operations across. Changes are a draft until they are saved.
import { Anchor, Button, Select, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListedRole, MatrixRow } from "../../../client/people/administration.ts";
import { matrixOperations } from "../../../contract/permissions.ts";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { ScrollRegion } from "../../parts/layout/scroll-region.tsx";
import { Section } from "../../parts/layout/section.tsx";
import table from "../../parts/layout/table.module.css";
import { navigationQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";
import classes from "./administration-screen.module.css";
import { allowedFor, changesOf, draftOf, followed, type MatrixDraft, toggled } from "./matrix-draft.ts";
import { useChange } from "./use-change.ts";

export function RolesPart() {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ["admin-roles"],
    queryFn: ({ signal }) => client.administration.listRoles(signal),
  });
  const [chosen, setChosen] = useState<string>();
  const all = (
    <Anchor
      size="sm"
      display="inline-block"
      py={4}
      renderRoot={(props) => (
        <Link {...props} to="/$module/$controller/index" params={{ module: "access_controls", controller: "roles" }} />
      )}
    >
      {t("admin.all_roles")}
    </Anchor>
  );
  return (
    <Section title={t("admin.part_roles")} lead={t("admin.roles_lead")} action={all}>
      <Loaded query={query} skeleton={<Skeleton h={400} radius="md" />}>
        {(roles) => {
          const role = roles.find(({ id }) => id === chosen) ?? roles.find((one) => !one.isAdministrator) ?? roles[0];
          return (
            <Stack gap="md">
              <Select
                label={t("signup.role")}
                description={role?.description}
                allowDeselect={false}
                maw={360}
                data={roles.map((one) => ({ value: one.id, label: one.name }))}
                value={role?.id ?? null}
                onChange={(value) => setChosen(value ?? undefined)}
              />
              {role?.isAdministrator ? (
                <Notice tone="news">{t("admin.administrator_may_all")}</Notice>
              ) : (
                role && <RoleMatrixLoader key={role.id} role={role} />
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Section>
  );
}

function RoleMatrixLoader({ role }: { readonly role: ListedRole }) {
  const query = useQuery({
    queryKey: ["admin-matrix", role.id],
    queryFn: ({ signal }) => client.administration.readMatrix(role.id, signal),
  });
  return (
    <Loaded query={query} skeleton={<Skeleton h={400} radius="md" />}>
      {(rows) => <RoleMatrixEditor key={query.dataUpdatedAt} role={role} rows={rows} />}
    </Loaded>
  );
}

function RoleMatrixEditor({ role, rows }: { readonly role: ListedRole; readonly rows: readonly MatrixRow[] }) {
  const { t } = useTranslation();
  const navigation = useQuery(navigationQuery);
  const [draft, setDraft] = useState<MatrixDraft>(() => draftOf(rows));
  const { changed, givenUp, count } = changesOf(rows, draft);
  const save = useChange({
    run: () => client.administration.saveMatrix(role.id, changed, givenUp),
    done: t("admin.matrix_saved", { role: role.name }),
    refresh: ["admin-matrix", "who-may", "navigation"],
  });
  const types = (navigation.data ?? []).flatMap((module) =>
    module.entries.map((entry) => ({ key: entry.key, label: entry.label })),
  );
  const listed = [
    { key: "*", label: t("admin.all_other_types") },
    ...types,
    // Rows of types that the navigation does not show.
    ...[...draft.keys()]
      .filter((key) => key !== "*" && !types.some((type) => type.key === key))
      .map((key) => ({ key, label: key })),
  ];
  return (
    <>
      <ScrollRegion label={t("admin.matrix", { role: role.name })}>
        <table className={`${table.table} ${classes.matrix}`}>
          <thead>
            <tr>
              <th scope="col">{t("admin.record_type")}</th>
              {matrixOperations.map((operation) => (
                <th key={operation} scope="col">
                  {t(`operations.${operation}`)}
                </th>
              ))}
              <th scope="col">{t("admin.actions")}</th>
            </tr>
          </thead>
          <tbody>
            {listed.map(({ key, label }) => {
              const own = draft.has(key);
              const allowed = allowedFor(draft, key);
              return (
                <tr key={key} data-inherits={!own || undefined}>
                  <th scope="row">{label}</th>
                  {matrixOperations.map((operation) => (
                    <td key={operation}>
                      <input
                        type="checkbox"
                        aria-label={`${label}: ${t(`operations.${operation}`)}`}
                        checked={allowed.has(operation)}
                        onChange={() => setDraft(toggled(draft, key, operation))}
                      />
                    </td>
                  ))}
                  <td>
                    {key !== "*" && own && (
                      <Button
                        size="compact-xs"
                        variant="subtle"
                        color="gray"
                        aria-label={t("admin.follow_name", { name: label })}
                        onClick={() => setDraft(followed(draft, key))}
                      >
                        {t("admin.follow")}
                      </Button>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
      <div className={classes.bar}>
        <Text size="sm" c="dimmed" role="status">
          {count === 0 ? t("admin.no_changes") : t("admin.changes", { count })}
        </Text>
        <Button variant="default" disabled={count === 0} onClick={() => setDraft(draftOf(rows))}>
          {t("admin.discard")}
        </Button>
        <Button disabled={count === 0} loading={save.isPending} onClick={() => save.mutate(undefined)}>
          {t("admin.save")}
        </Button>
      </div>
    </>
  );
}
