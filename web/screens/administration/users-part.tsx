// The people of the organisation: who is active, and the way to deactivate somebody and hand over what they own.
import { Anchor, Button, Group, Modal, Select, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { activateUser, deactivateUser, type ListedUser, listUsers } from "../../../client/administration.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Moment } from "../../parts/moment.tsx";
import { Notice } from "../../parts/notice.tsx";
import { ScrollRegion } from "../../parts/scroll-region.tsx";
import { Section } from "../../parts/section.tsx";
import table from "../../parts/table.module.css";
import { Tag } from "../../parts/tag.tsx";
import { call } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import classes from "./administration-screen.module.css";
import { useChange } from "./use-change.ts";

const refresh = ["admin-users", "list", "admin-sessions"];

export function UsersPart() {
  const { t } = useTranslation();
  const { identity } = useSession();
  const [sought, setSought] = useState("");
  const [leaving, setLeaving] = useState<ListedUser>();
  const query = useQuery({ queryKey: ["admin-users"], queryFn: ({ signal }) => listUsers(call, signal) });
  const activate = useChange({
    run: (id: string) => activateUser(call, id),
    done: t("admin.activated"),
    refresh,
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
          const words = sought.toLowerCase();
          const shown = users.filter((user) =>
            `${user.name} ${user.userName} ${user.title}`.toLowerCase().includes(words),
          );
          return (
            <Stack gap="sm">
              <TextInput
                aria-label={t("admin.find_user")}
                placeholder={t("admin.find_user")}
                value={sought}
                onChange={(event) => setSought(event.currentTarget.value)}
              />
              <ScrollRegion label={t("admin.part_users")}>
                <table className={table.table}>
                  <thead>
                    <tr>
                      <th scope="col">{t("admin.name")}</th>
                      <th scope="col">{t("admin.state")}</th>
                      <th scope="col">{t("admin.last_login")}</th>
                      <th scope="col">{t("admin.actions")}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {shown.map((user) => (
                      <tr key={user.id} className={user.isActive ? undefined : classes.off}>
                        <th scope="row">
                          <Anchor
                            size="sm"
                            renderRoot={(props) => (
                              <Link
                                {...props}
                                to="/$module/$controller/view"
                                params={{ module: "access_controls", controller: "users" }}
                                search={{ id: user.id }}
                              />
                            )}
                          >
                            {user.name || user.userName}
                          </Anchor>
                          <div className={table.mono}>{user.userName}</div>
                        </th>
                        <td>
                          <Tag tone={user.isActive ? "good" : "plain"}>
                            {t(user.isActive ? "admin.active" : "admin.inactive")}
                          </Tag>
                        </td>
                        <td>
                          <Moment text={user.lastLogin} none={t("admin.never")} />
                        </td>
                        <td>
                          {user.id === identity?.userId ? (
                            <Text size="sm" c="dimmed">
                              {t("admin.you")}
                            </Text>
                          ) : (
                            <Button
                              size="compact-sm"
                              variant="subtle"
                              color="gray"
                              aria-label={t(user.isActive ? "admin.deactivate_name" : "admin.activate_name", {
                                name: user.name,
                              })}
                              onClick={() => (user.isActive ? setLeaving(user) : activate.mutate(user.id))}
                            >
                              {t(user.isActive ? "admin.deactivate" : "admin.activate")}
                            </Button>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </ScrollRegion>
              {leaving && (
                <DeactivateDialog
                  user={leaving}
                  heirs={users.filter((user) => user.isActive && user.id !== leaving.id)}
                  close={() => setLeaving(undefined)}
                />
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Section>
  );
}

interface DeactivateDialogProps {
  readonly user: ListedUser;
  readonly heirs: readonly ListedUser[];
  readonly close: () => void;
}

function DeactivateDialog({ user, heirs, close }: DeactivateDialogProps) {
  const { t } = useTranslation();
  const [heir, setHeir] = useState<string | null>(null);
  const deactivate = useChange({
    run: () => deactivateUser(call, user.id, heir ?? undefined),
    done: t("admin.deactivated", { name: user.name }),
    refresh,
    after: close,
    quiet: true,
  });
  return (
    <Modal
      opened
      onClose={close}
      title={t("admin.deactivate_title", { name: user.name })}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <Stack gap="md">
        <Text size="sm">{t("admin.deactivate_lead")}</Text>
        {deactivate.error && <Notice tone="bad">{deactivate.error.message}</Notice>}
        <Select
          label={t("admin.heir")}
          description={t("admin.heir_lead")}
          placeholder={t("admin.heir_none")}
          searchable
          clearable
          data={heirs.map((one) => ({ value: one.id, label: one.name || one.userName }))}
          value={heir}
          onChange={setHeir}
          nothingFoundMessage={t("signup.nothing")}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t("actions.cancel")}
          </Button>
          <Button color="red" loading={deactivate.isPending} onClick={() => deactivate.mutate(undefined)}>
            {t("admin.deactivate")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
