// The people of the organization: who is active, and the way to deactivate somebody and hand over what they own.
import { Button, Group, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListedUser } from "../../../client/people/administration.ts";
import { Face } from "../../parts/layout/face.tsx";
import { FactsTable, RowAction } from "../../parts/layout/facts-table.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { Tag } from "../../parts/layout/tag.tsx";
import { Moment } from "../../parts/moment.tsx";
import { RecordLink } from "../../parts/record-link.tsx";
import { client } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import classes from "./administration-screen.module.css";
import { useChange } from "./use-change.ts";
import { DeactivateDialog, ResetMfaDialog, usersRefresh } from "./user-dialogs.tsx";

export function UsersPart() {
  const { t } = useTranslation();
  const { identity } = useSession();
  const [filterValue, setSought] = useState("");
  const [leaving, setLeaving] = useState<ListedUser>();
  const [resetting, setResetting] = useState<ListedUser>();
  const query = useQuery({
    queryKey: ["admin-users"],
    queryFn: ({ signal }) => client.administration.listUsers(signal),
  });
  const { data: twoSteps } = useQuery({
    queryKey: ["admin-mfa"],
    queryFn: ({ signal }) => client.account.listMfaUsers(signal),
    staleTime: 0,
  });
  const activate = useChange({
    run: (id: string) => client.administration.activateUser(id),
    done: t("admin.activated"),
    refresh: usersRefresh,
  });
  const add = (
    <Button
      variant="default"
      leftSection={<IconPlus size={15} />}
      renderRoot={(props) => (
        <Link {...props} to="/$module/$controller/add" params={{ module: "access_controls", controller: "users" }} />
      )}
    >
      {t("admin.add_user")}
    </Button>
  );
  return (
    <Section title={t("admin.part_users")} lead={t("admin.users_lead")} action={add}>
      <Loaded query={query} skeleton={<Skeleton h={320} radius="md" />}>
        {(users) => {
          const words = filterValue.toLowerCase();
          const shown = users.filter((user) =>
            `${user.name} ${user.userName} ${user.title}`.toLowerCase().includes(words),
          );
          return (
            <Stack gap="sm">
              <TextInput
                aria-label={t("admin.find_user")}
                placeholder={t("admin.find_user")}
                leftSection={<IconSearch size={15} stroke={1.6} aria-hidden="true" />}
                value={filterValue}
                onChange={(event) => setSought(event.currentTarget.value)}
              />
              <FactsTable
                label={t("admin.part_users")}
                columns={[
                  t("admin.name"),
                  t("admin.part_roles"),
                  t("admin.state"),
                  t("admin.last_login"),
                  t("admin.actions"),
                ]}
              >
                {shown.map((user) => (
                  <tr key={user.id} className={user.isActive ? undefined : classes.off}>
                    <th scope="row">
                      <Group gap={10} wrap="nowrap">
                        <Face name={user.name || user.userName} shape="round" size={28} />
                        <div>
                          <RecordLink module="access_controls" controller="users" id={user.id}>
                            {user.name || user.userName}
                          </RecordLink>
                          <div className={classes.handle}>{user.userName}</div>
                        </div>
                      </Group>
                    </th>
                    <td data-label={t("admin.part_roles")}>{user.roles.join(", ") || "–"}</td>
                    <td>
                      <Tag tone={user.isActive ? "good" : "plain"}>
                        {t(user.isActive ? "admin.active" : "admin.inactive")}
                      </Tag>{" "}
                      {twoSteps?.has(user.id) && <Tag>{t("mfa.two_steps")}</Tag>}
                    </td>
                    <td data-label={t("admin.last_login")}>
                      <Moment text={user.lastLogin} none={t("admin.never")} />
                    </td>
                    <td>
                      {user.id === identity?.userId ? (
                        <Text size="sm" c="dimmed">
                          {t("admin.you")}
                        </Text>
                      ) : (
                        <Group gap={4} wrap="nowrap">
                          <RowAction
                            label={t(user.isActive ? "admin.deactivate_name" : "admin.activate_name", {
                              name: user.name,
                            })}
                            onClick={() => (user.isActive ? setLeaving(user) : activate.mutate(user.id))}
                          >
                            {t(user.isActive ? "admin.deactivate" : "admin.activate")}
                          </RowAction>
                          {twoSteps?.has(user.id) && (
                            <RowAction
                              label={t("mfa.reset_name", { name: user.name })}
                              onClick={() => setResetting(user)}
                            >
                              {t("mfa.reset")}
                            </RowAction>
                          )}
                        </Group>
                      )}
                    </td>
                  </tr>
                ))}
              </FactsTable>
              {leaving && (
                <DeactivateDialog
                  user={leaving}
                  newOwners={users.filter((user) => user.isActive && user.id !== leaving.id)}
                  close={() => setLeaving(undefined)}
                />
              )}
              {resetting && <ResetMfaDialog user={resetting} close={() => setResetting(undefined)} />}
            </Stack>
          );
        }}
      </Loaded>
    </Section>
  );
}
