// Roles: choose one, or make a new one, and say what it may do with records of each type and with single fields.
import { Anchor, Button, Group, Skeleton, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListedRole } from "../../../../client/people/administration.ts";
import { LateSelect } from "../../../parts/controls/late-select.tsx";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { Section } from "../../../parts/layout/section.tsx";
import { client } from "../../../session/session.ts";
import { designChoicesQuery } from "../../design/design-queries.ts";
import { RoleDialog } from "./role-dialog.tsx";
import { RoleEditor } from "./role-editor.tsx";

export function RolesPart() {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ["admin-roles"],
    queryFn: ({ signal }) => client.administration.listRoles(signal),
  });
  const [chosen, setChosen] = useState<string>();
  const [adding, setAdding] = useState(false);
  const { type: wanted } = useSearch({ from: "/inside/administration" });
  const shown = useRef<string>(undefined);
  /** Who comes for a record type finds its line, once: after that they look where they like. */
  const show = (line: HTMLElement | null): void => {
    if (line === null || shown.current === wanted) return;
    shown.current = wanted;
    line.scrollIntoView({ block: "center" });
    line.querySelector("input")?.focus({ preventScroll: true });
  };
  const action = (
    <Group gap="sm">
      <Anchor
        size="sm"
        display="inline-block"
        py={4}
        renderRoot={(props) => (
          <Link
            {...props}
            to="/$module/$controller/index"
            params={{ module: "access_controls", controller: "roles" }}
          />
        )}
      >
        {t("admin.all_roles")}
      </Anchor>
      <Button variant="default" leftSection={<IconPlus size={15} />} onClick={() => setAdding(true)}>
        {t("admin.add_role")}
      </Button>
    </Group>
  );
  return (
    <Section title={t("admin.part_roles")} lead={t("admin.roles_lead")} action={action}>
      <Loaded query={query} skeleton={<MatrixSkeleton />}>
        {(roles) => {
          const role = roles.find(({ id }) => id === chosen) ?? roles.find((one) => !one.isAdministrator) ?? roles[0];
          return (
            <Stack gap="md">
              <LateSelect
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
                role && <RoleLoader key={role.id} role={role} wanted={wanted} show={show} />
              )}
              {adding && <RoleDialog roles={roles} close={() => setAdding(false)} done={setChosen} />}
            </Stack>
          );
        }}
      </Loaded>
    </Section>
  );
}

interface RoleLoaderProps {
  readonly role: ListedRole;
  readonly wanted: string | undefined;
  readonly show: (line: HTMLElement | null) => void;
}

function RoleLoader({ role, wanted, show }: RoleLoaderProps) {
  const choices = useQuery(designChoicesQuery);
  const query = useQuery({
    queryKey: ["admin-matrix", role.id],
    queryFn: async ({ signal }) => ({
      rows: await client.administration.readMatrix(role.id, signal),
      fields: await client.administration.readFieldRules(role.id, signal),
    }),
    // What others change while one looks away would come in between: only a save, or a role that is opened anew, is read again.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <Loaded query={choices} skeleton={<MatrixSkeleton />}>
      {({ record_types }) => (
        <Loaded query={query} skeleton={<MatrixSkeleton />}>
          {(stored) => <RoleEditor {...{ role, stored, wanted, show }} types={record_types} />}
        </Loaded>
      )}
    </Loaded>
  );
}

function MatrixSkeleton() {
  return (
    <div aria-hidden="true">
      {Array.from({ length: 9 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no identity
        <Group key={row} gap={32} h={41} wrap="nowrap">
          <Skeleton h={10} w={90 + ((row * 37) % 50)} mie="auto" />
          {Array.from({ length: 8 }, (_box, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <Skeleton key={column} h={15} w={15} />
          ))}
        </Group>
      ))}
    </div>
  );
}
